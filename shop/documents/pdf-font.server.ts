import { parse } from 'node:path'
import type { FontFace } from './fonts.server.ts'
import type { Glyph } from './shaping.server.ts'

/** What a PDF stores of a font. PDFKit has no types for it. */
interface StoredFont {
  id: string
  ref(): PDFKit.PDFKitReference
  /** Units of the font in thousandths of its size. */
  scale: number
  subset: { glyphs: number[] }
  /** By the code of a glyph, like the others. */
  widths: number[]
  unicode: number[][]
}

export interface PdfFont {
  stored: StoredFont
  codes: Map<string, number>
}

export function openPdfFont(doc: PDFKit.PDFDocument, { name, outlines }: FontFace): PdfFont {
  // PDFKit takes fonts of one name for the same.
  const source = Object.create(outlines, { postscriptName: { value: parse(name).name } })
  doc.registerFont(name, source)
  const { _font: stored } = doc.font(name) as unknown as { _font: StoredFont }
  return { stored, codes: new Map() }
}

interface GlyphPlace {
  x: number
  /** Of the baseline. */
  y: number
  size: number
  /** What the glyphs say, where they don't say it one after the other. */
  actualText: string | null
}

/** PDFKit's own `text` neither takes glyphs that are shaped already nor marks text where it stands, which some programs need to find it. */
export function showGlyphs(
  doc: PDFKit.PDFDocument,
  font: PdfFont,
  glyphs: Glyph[],
  { x, y, size, actualText }: GlyphPlace,
) {
  const { stored } = font
  doc.page.fonts[stored.id] ??= stored.ref()
  doc.save()
  doc.addContent(`BT 1 0 0 -1 ${round(x)} ${round(y)} Tm /${stored.id} ${size} Tf`)
  if (actualText) doc.markContent('Span', { actual: actualText })
  let rise = 0
  let shown: (string | number)[] = []
  const show = () => {
    if (shown.length > 0) doc.addContent(`[${shown.join(' ')}] TJ`)
    shown = []
  }
  for (const glyph of glyphs) {
    if (glyph.y !== rise) {
      show()
      rise = glyph.y
      doc.addContent(`${round((rise * stored.scale * size) / 1000)} Ts`)
    }
    const code = storeGlyph(font, glyph)
    const after = glyph.x * stored.scale + stored.widths[code]! - glyph.advance * stored.scale
    if (glyph.x !== 0) shown.push(round(-glyph.x * stored.scale))
    shown.push(`<${code.toString(16).padStart(4, '0')}>`)
    if (round(after) !== 0) shown.push(round(after))
  }
  show()
  if (actualText) doc.endMarkedContent()
  doc.addContent('ET')
  doc.restore()
}

/** A glyph of several texts, such as a bracket and its mirror image, is stored once for each: a PDF gives each stored glyph one text. */
function storeGlyph({ stored, codes }: PdfFont, { id, text, width }: Glyph) {
  const key = `${id} ${text}`
  const code = codes.get(key) ?? stored.subset.glyphs.push(id) - 1
  codes.set(key, code)
  stored.widths[code] = width * stored.scale
  stored.unicode[code] = Array.from(text, (character) => character.codePointAt(0)!)
  return code
}

function round(value: number) {
  return Math.round(value * 1000) / 1000
}
