import createBidi, { type EmbeddingLevels } from 'bidi-js'
import { chooseTypeface, type FontFace, type Typeface } from './fonts.server.ts'
import { openPdfFont, type PdfFont, showGlyphs } from './pdf-font.server.ts'
import { type Glyph, loadShaper, noText, type ShapeText } from './shaping.server.ts'

export interface TextStyle {
  size: number
  bold?: boolean
  color?: string
  /** Digits of one width. */
  tabular?: boolean
}

/** What text is set with. */
export interface Typesetter {
  doc: PDFKit.PDFDocument
  shape: ShapeText
  main: Typeface
  /** Of the graphemes that the main one lacks. */
  others: Map<string, Typeface>
  /** Text that was shaped before. */
  shaped: Map<string, Glyph[]>
  fonts: Map<FontFace, PdfFont>
}

interface Paragraph {
  text: string
  levels: EmbeddingLevels
}

export interface TextLine {
  paragraph: Paragraph
  start: number
  end: number
}

/** Text of one font and direction. */
interface Run {
  face: FontFace
  level: number
  start: number
  text: string
}

/** Longer ones are measured by their graphemes: laying them out again for each line would take a second. */
const maxWholeWord = 60
const ignorable = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu
const spaceCode = 32
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const bidi = createBidi()

/** `texts` are all that will be set: the fonts of their scripts are read. */
export async function createTypesetter(doc: PDFKit.PDFDocument, texts: string[]): Promise<Typesetter> {
  const main = await chooseTypeface(' ')
  const others = new Map<string, Typeface>()
  const characters = new Set(texts.flatMap((text) => cleanText(text).split(' ').flatMap(splitGraphemes)))
  for (const character of characters) {
    const typeface = await chooseTypeface(character)
    if (typeface !== main) others.set(character, typeface)
  }
  return { doc, shape: await loadShaper(), main, others, shaped: new Map(), fonts: new Map() }
}

function cleanText(text: string) {
  return text.normalize('NFC').replace(/\s+/g, ' ').replace(ignorable, '').trim()
}

function splitGraphemes(text: string) {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** In lines of at most that width. */
export function wrapText(setter: Typesetter, content: string, width: number, style: TextStyle): TextLine[] {
  const text = cleanText(content)
  // As HTML's `dir="auto"`: the first letter decides.
  const paragraph = { text, levels: bidi.getEmbeddingLevels(text, 'auto') }
  const lines: TextLine[] = []
  let line: TextLine = { paragraph, start: 0, end: 0 }
  let used = 0
  for (const { index, 0: word } of text.matchAll(/\S+/g)) {
    const end = index + word.length
    for (let start = index; start < end; ) {
      const isFirst = line.end === line.start
      const gap = isFirst ? 0 : measure(setter, { paragraph, start: line.end, end: start }, style)
      const piece = fittingPart(setter, { paragraph, start, end }, width - used - gap, style)
      if (piece.end < end && !isFirst) {
        lines.push(line)
        line = { paragraph, start, end: start }
        used = 0
        continue
      }
      if (isFirst) line.start = start
      line.end = piece.end
      used += gap + measure(setter, piece, style)
      start = piece.end
    }
  }
  return [...lines, line]
}

/** `x` is the left edge or, for text aligned to it, the right one; `y` the baseline. */
export function drawLine(
  setter: Typesetter,
  line: TextLine,
  { x, y, align }: { x: number; y: number; align: 'left' | 'right' },
  style: TextStyle,
) {
  const { text, levels } = line.paragraph
  const runs = splitRuns(setter, line, style).map((run) => ({ ...run, ...setRun(setter, run, style), x: 0 }))
  const order = bidi.getReorderedIndices(text, levels, line.start, line.end - 1)
  const places = new Map(order.map((index, place) => [index, place]))
  let edge = align === 'left' ? x : x - runs.reduce((sum, { width }) => sum + width, 0)
  for (const run of runs.toSorted((a, b) => places.get(a.start)! - places.get(b.start)!)) {
    run.x = edge
    edge += run.width
  }
  setter.doc.fillColor(style.color ?? '#000000')
  // In the order of reading, which is how many programs copy text.
  for (const { face, level, text, glyphs, x } of runs) {
    const actualText = level % 2 === 0 && glyphs.some(isOutOfLine) ? text : null
    showGlyphs(setter.doc, findFont(setter, face), glyphs, { x, y, size: style.size, actualText })
  }
}

/** Programs that copy text by the places of glyphs lose such marks. */
function isOutOfLine({ text, width, x, y }: Glyph) {
  return text === noText || width === 0 || x !== 0 || y !== 0
}

function findFont({ doc, fonts }: Typesetter, face: FontFace) {
  const font = fonts.get(face) ?? openPdfFont(doc, face)
  fonts.set(face, font)
  return font
}

/** The longest beginning of a word that fits, at least one grapheme. */
function fittingPart(setter: Typesetter, word: TextLine, width: number, style: TextStyle): TextLine {
  const { paragraph, start, end } = word
  if (end - start <= maxWholeWord && measure(setter, word, style) <= width) return word
  let [used, at] = [0, start]
  for (const grapheme of splitGraphemes(paragraph.text.slice(start, end))) {
    const part = { paragraph, start: at, end: at + grapheme.length }
    used += measure(setter, part, style)
    if (at > start && used > width) break
    at = part.end
  }
  return { paragraph, start, end: at }
}

function measure(setter: Typesetter, part: TextLine, style: TextStyle) {
  return splitRuns(setter, part, style).reduce((sum, run) => sum + setRun(setter, run, style).width, 0)
}

function setRun(
  { shape, shaped }: Typesetter,
  { face, level, text }: Run,
  { size, tabular = false }: TextStyle,
) {
  const isRightToLeft = level % 2 === 1
  const key = `${face.name} ${isRightToLeft} ${tabular} ${text}`
  const glyphs = shaped.get(key) ?? shape(face, text, { isRightToLeft, tabular })
  shaped.set(key, glyphs)
  const width = glyphs.reduce((sum, { advance }) => sum + advance, 0)
  return { glyphs, width: (width * size) / face.outlines.unitsPerEm }
}

function splitRuns({ main, others }: Typesetter, line: TextLine, { bold }: TextStyle): Run[] {
  const { text, levels } = line.paragraph
  const runs: Run[] = []
  let { start } = line
  for (const grapheme of splitGraphemes(text.slice(start, line.end))) {
    const last = runs.at(-1)
    const level = levels.levels[start]!
    const isSpaceInRun = grapheme === ' ' && last?.face.characters.has(spaceCode)
    const face = isSpaceInRun ? last!.face : (others.get(grapheme) ?? main)[bold ? 'bold' : 'regular']
    if (last?.face === face && last.level === level) last.text += grapheme
    else runs.push({ face, level, start, text: grapheme })
    start += grapheme.length
  }
  return runs
}
