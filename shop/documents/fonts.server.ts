import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Font } from 'fontkit'

const { resolve } = createRequire(import.meta.url)

const files = {
  regular: '@expo-google-fonts/archivo/400Regular/Archivo_400Regular.ttf',
  bold: '@expo-google-fonts/archivo/600SemiBold/Archivo_600SemiBold.ttf',
  /** Has a glyph for nearly every character of every script. */
  fallback: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
}

export type FontName = keyof typeof files

const loaded = new Map<FontName, Promise<Buffer>>()

/** TrueType; read once. */
export function loadFont(name: FontName): Promise<Buffer> {
  const font = loaded.get(name) ?? read(files[name])
  loaded.set(name, font)
  return font
}

async function read(file: string) {
  const content = await readFile(resolve(file))
  return file.endsWith('.woff') ? toTrueType(content) : content
}

let characters: Set<number> | undefined

/** The code points of the typeface; the fallback font has the others. */
export async function typefaceCharacters(): Promise<Set<number>> {
  const { create } = await import('fontkit')
  characters ??= new Set((create(await loadFont('regular')) as Font).characterSet)
  return characters
}

const inflateTable = promisify(inflate)

/** fontkit inflates a table of a WOFF file again for each glyph, which takes seconds with a large font. */
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
