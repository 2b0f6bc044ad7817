import type { FontName } from './fonts.server.ts'

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
  /** The code points of the typeface; the fallback font has the others. */
  characters: Set<number>
  /** Of words that were measured before, in points. */
  widths: Map<string, number>
}

interface Run {
  font: FontName
  text: string
}

export type Word = Run[]

/** Longer ones are measured by their characters: laying them out again for each line would take a second. */
const maxWholeWord = 60
const tabularDigits: PDFKit.Mixins.OpenTypeFeatures[] = ['kern', 'tnum']
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** In lines of at most that width. */
export function wrapText(setter: Typesetter, text: string, width: number, style: TextStyle): Word[][] {
  const lines: Word[][] = [[]]
  const space = widthOf(setter, ' ', style)
  let left = width
  const words = text.normalize('NFC').replace(/\s+/g, ' ').replace(ignorable, '').split(' ')
  for (let rest of words.filter(Boolean)) {
    while (rest) {
      const isFirst = lines.at(-1)!.length === 0
      const room = isFirst ? left : left - space
      const piece = fittingPart(setter, rest, room, style)
      if (piece !== rest && !isFirst) {
        lines.push([])
        left = width
        continue
      }
      lines.at(-1)!.push(toRuns(setter, piece, style))
      left = room - widthOf(setter, piece, style)
      rest = rest.slice(piece.length)
    }
  }
  return lines
}

/** `x` is the left edge or, for text aligned to it, the right one; `y` the baseline. */
export function drawLine(
  setter: Typesetter,
  words: Word[],
  { x, y, align }: { x: number; y: number; align: 'left' | 'right' },
  style: TextStyle,
) {
  const runs = joinWords(setter, words, style)
  const widths = runs.map((run) => runWidth(setter, run, style))
  let at = align === 'left' ? x : x - widths.reduce((sum, width) => sum + width, 0)
  setter.doc.fillColor(style.color ?? '#000000')
  for (const [i, { font, text }] of runs.entries()) {
    const options = { lineBreak: false, baseline: 'alphabetic' as const, ...featuresOf(style) }
    setter.doc.font(font).fontSize(style.size).text(text, at, y, options)
    at += widths[i]!
  }
}

/** The longest beginning that fits, at least one character. */
function fittingPart(setter: Typesetter, text: string, width: number, style: TextStyle) {
  if (text.length <= maxWholeWord && widthOf(setter, text, style) <= width) return text
  let [used, end] = [0, 0]
  for (const character of text) {
    used += widthOf(setter, character, style)
    if (end > 0 && used > width) break
    end += character.length
  }
  return text.slice(0, end)
}

function widthOf(setter: Typesetter, text: string, style: TextStyle) {
  return toRuns(setter, text, style).reduce((sum, run) => sum + runWidth(setter, run, style), 0)
}

function runWidth({ doc, widths }: Typesetter, { font, text }: Run, style: TextStyle) {
  const key = `${font} ${style.size} ${style.tabular} ${text}`
  const width = widths.get(key) ?? doc.font(font).fontSize(style.size).widthOfString(text, featuresOf(style))
  widths.set(key, width)
  return width
}

function featuresOf({ tabular }: TextStyle) {
  return tabular ? { features: tabularDigits } : {}
}

function toRuns({ characters }: Typesetter, text: string, { bold }: TextStyle): Run[] {
  const typeface = bold ? 'bold' : 'regular'
  return mergeRuns(
    Array.from(text, (character) => ({
      font: characters.has(character.codePointAt(0)!) ? typeface : 'fallback',
      text: character,
    })),
  )
}

function joinWords(setter: Typesetter, words: Word[], style: TextStyle): Run[] {
  const space = toRuns(setter, ' ', style)
  return mergeRuns(visualOrder(words).flatMap((word, i) => (i > 0 ? [...space, ...word] : word)))
}

function mergeRuns(runs: Run[]): Run[] {
  const merged: Run[] = []
  for (const { font, text } of runs) {
    const last = merged.at(-1)
    if (last?.font === font) last.text += text
    else merged.push({ font, text })
  }
  return merged
}

/** Words of scripts that are written from right to left follow each other in that direction; the font does so within a word. */
function visualOrder(words: Word[]): Word[] {
  const ordered: Word[] = []
  let reversed: Word[] = []
  for (const word of words) {
    if (word.some(({ text }) => rightToLeft.test(text))) {
      reversed.unshift(word.toReversed())
      continue
    }
    ordered.push(...reversed, word)
    reversed = []
  }
  return [...ordered, ...reversed]
}
