import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Font } from 'fontkit'
import type { Font as Shaper } from 'harfbuzzjs'

const { resolve } = createRequire(import.meta.url)

/** A weight of a font. */
export interface FontFace {
  name: string
  /** Chooses and places glyphs. */
  shaper: Shaper
  /** Writes glyphs into a PDF. */
  outlines: Font
  characters: Set<number>
}

export interface Typeface {
  regular: FontFace
  bold: FontFace
}

interface FontFiles {
  /** Which characters it may have. */
  scripts: RegExp
  regular: string
  bold: string
}

const archivo = '@expo-google-fonts/archivo'
const unifontex = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff'

/** The first that has all characters of a letter and its marks is used. */
const fonts: FontFiles[] = [
  {
    scripts: /./u,
    regular: `${archivo}/400Regular/Archivo_400Regular.ttf`,
    bold: `${archivo}/600SemiBold/Archivo_600SemiBold.ttf`,
  },
  fontsource('noto-sans', 'latin-ext', /\p{Script_Extensions=Latin}/u),
  fontsource('noto-sans', 'vietnamese', /\p{Script_Extensions=Latin}/u),
  fontsource('noto-sans', 'greek', /\p{Script_Extensions=Greek}/u),
  fontsource('noto-sans', 'greek-ext', /\p{Script_Extensions=Greek}/u),
  fontsource('noto-sans', 'cyrillic', /\p{Script_Extensions=Cyrillic}/u),
  fontsource('noto-sans', 'cyrillic-ext', /\p{Script_Extensions=Cyrillic}/u),
  fontsource('noto-sans-hebrew', 'hebrew', /[\p{Script_Extensions=Hebrew}₪]/u),
  // Noto's Arabic composes most letters of two glyphs, of which programs copy one.
  fontsource('ibm-plex-sans-arabic', 'arabic', /\p{Script_Extensions=Arabic}/u),
  fontsource('noto-sans', 'devanagari', /\p{Script_Extensions=Devanagari}/u),
  fontsource('noto-sans-bengali', 'bengali', /\p{Script_Extensions=Bengali}/u),
  fontsource('noto-sans-gujarati', 'gujarati', /\p{Script_Extensions=Gujarati}/u),
  fontsource('noto-sans-gurmukhi', 'gurmukhi', /\p{Script_Extensions=Gurmukhi}/u),
  fontsource('noto-sans-kannada', 'kannada', /\p{Script_Extensions=Kannada}/u),
  fontsource('noto-sans-khmer', 'khmer', /\p{Script_Extensions=Khmer}/u),
  fontsource('noto-sans-lao', 'lao', /\p{Script_Extensions=Lao}/u),
  fontsource('noto-sans-malayalam', 'malayalam', /\p{Script_Extensions=Malayalam}/u),
  fontsource('noto-sans-myanmar', 'myanmar', /\p{Script_Extensions=Myanmar}/u),
  fontsource('noto-sans-sinhala', 'sinhala', /\p{Script_Extensions=Sinhala}/u),
  fontsource('noto-sans-tamil', 'tamil', /\p{Script_Extensions=Tamil}/u),
  fontsource('noto-sans-telugu', 'telugu', /\p{Script_Extensions=Telugu}/u),
  fontsource('noto-sans-thai', 'thai', /\p{Script_Extensions=Thai}/u),
]

/** Has a glyph for nearly every character of every script. */
const lastResort: FontFiles = { scripts: /./u, regular: unifontex, bold: unifontex }

function fontsource(font: string, subset: string, scripts: RegExp): FontFiles {
  const file = `@fontsource/${font}/files/${font}-${subset}`
  return { scripts, regular: `${file}-400-normal.woff`, bold: `${file}-600-normal.woff` }
}

/** The font of a grapheme, which is a letter with its marks. Reads only the fonts of its script. */
export async function chooseTypeface(grapheme: string): Promise<Typeface> {
  for (const files of fonts) {
    if (!files.scripts.test(grapheme)) continue
    const typeface = await loadTypeface(files)
    if (hasCharacters(typeface.regular, grapheme)) return typeface
  }
  return loadTypeface(lastResort)
}

/** Joiners shape the letters around them and need no glyph. */
function hasCharacters({ characters }: FontFace, grapheme: string) {
  return Array.from(grapheme.replace(/[\u200c\u200d]/g, '')).every((character) =>
    characters.has(character.codePointAt(0)!),
  )
}

const loaded = new Map<FontFiles, Promise<Typeface>>()

/** Read once. */
function loadTypeface(files: FontFiles): Promise<Typeface> {
  const typeface = loaded.get(files) ?? readTypeface(files)
  loaded.set(files, typeface)
  return typeface
}

async function readTypeface({ regular, bold }: FontFiles): Promise<Typeface> {
  const face = await readFace(regular)
  return { regular: face, bold: bold === regular ? face : await readFace(bold) }
}

async function readFace(file: string): Promise<FontFace> {
  const [{ create }, harfbuzz] = await Promise.all([import('fontkit'), import('harfbuzzjs')])
  const content = await readFile(resolve(file))
  const trueType = file.endsWith('.woff') ? await toTrueType(content) : content
  const face = new harfbuzz.Face(new harfbuzz.Blob(Uint8Array.from(trueType).buffer))
  return {
    name: file,
    shaper: new harfbuzz.Font(face),
    outlines: create(trueType) as Font,
    characters: new Set(face.collectUnicodes()),
  }
}

const inflateTable = promisify(inflate)

/** HarfBuzz reads no WOFF, and fontkit inflates a table of it again for each glyph. */
async function toTrueType(woff: Buffer): Promise<Buffer> {
  const count = woff.readUInt16BE(12)
  const header = Buffer.alloc(12 + 16 * count)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (let i = 0; i < count; i++) {
    const entry = 44 + 20 * i
    const [start, compressed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ]
    const stored = woff.subarray(start, start + compressed)
    const table = compressed < length ? await inflateTable(stored) : stored
    const target = 12 + 16 * i
    woff.copy(header, target, entry, entry + 4)
    woff.copy(header, target + 4, entry + 16, entry + 20)
    header.writeUInt32BE(offset, target + 8)
    header.writeUInt32BE(length, target + 12)
    parts.push(table, Buffer.alloc(-length & 3))
    offset += (length + 3) & ~3
  }
  return Buffer.concat(parts)
}
