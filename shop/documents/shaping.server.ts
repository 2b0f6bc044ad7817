import type { FontFace } from './fonts.server.ts'

/** In units of the font. */
export interface Glyph {
  id: number
  /** What is copied from the PDF for it. */
  text: string
  /** Its own width. */
  width: number
  /** How far the next one is. */
  advance: number
  x: number
  y: number
}

export interface ShapingStyle {
  isRightToLeft: boolean
  /** Digits of one width. */
  tabular: boolean
}

export type ShapeText = (face: FontFace, text: string, style: ShapingStyle) => Glyph[]

/** The function returns the glyphs of a text of one font and direction, from left to right. */
export async function loadShaper(): Promise<ShapeText> {
  const { Buffer, ClusterLevel, Direction, Feature, shape } = await import('harfbuzzjs')
  const tabularDigits = [new Feature('tnum')]
  return ({ shaper }, text, { isRightToLeft, tabular }) => {
    const buffer = new Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
    buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
    shape(shaper, buffer, tabular ? tabularDigits : [])
    const positions = buffer.getGlyphPositions()
    const glyphs = buffer.getGlyphInfos().map(({ codepoint: id, cluster }, i) => {
      const { xAdvance: advance, xOffset: x, yOffset: y } = positions[i]!
      return { id, cluster, text: noText, width: shaper.glyphHAdvance(id), advance, x, y }
    })
    if (!isRightToLeft) return assignTexts(glyphs, text)
    return assignTexts(glyphs.toReversed(), text).map(reverseText).toReversed()
  }
}

/** Programs that copy text leave it out, and write what they like for a glyph without a text. */
export const noText = '\u200b'

/** In the order of the text, so that copying the glyphs gives the text. A cluster is the index of the first character that a glyph stands for. */
function assignTexts(glyphs: (Glyph & { cluster: number })[], text: string): Glyph[] {
  const clusters = [...Map.groupBy(glyphs, ({ cluster }) => cluster)]
  for (const [i, [start, members]] of clusters.entries()) {
    const part = text.slice(start, clusters[i + 1]?.[0])
    // A vowel of two parts has a glyph for each.
    const characters = Array.from(members.length > Array.from(part).length ? part.normalize('NFD') : part)
    const wide = members.filter(({ width }) => width > 0)
    const carriers = members.length > characters.length && wide.length > 0 ? wide : members
    const last = Math.min(carriers.length, characters.length) - 1
    for (const [at, glyph] of carriers.slice(0, last + 1).entries())
      glyph.text = characters.slice(at, at === last ? undefined : at + 1).join('')
  }
  return glyphs
}

/** Programs that copy text take a line from left to right and turn it round, also inside of ligatures. */
function reverseText(glyph: Glyph): Glyph {
  return { ...glyph, text: Array.from(glyph.text).toReversed().join('') }
}
