import { Buffer } from 'node:buffer'

export interface Heif {
  /** Of its first box: `avif`, `avis` for an animation, others such as `heic`. */
  brands: string[]
  /** Whether it is made of other pictures, or cropped from one: then its size does not say what decoding it needs. */
  isDerived: boolean
}

const plainItems = ['av01', 'hvc1', 'Exif', 'mime', 'uri ', 'tmap']

/** Also for other files of the container, such as videos. */
export function isHeif(bytes: Uint8Array) {
  return Buffer.from(bytes.subarray(4, 8)).toString('latin1') === 'ftyp'
}

/** Reads the boxes that say how a picture is made; words in its metadata or pixels say nothing. */
export function readHeif(bytes: Uint8Array): Heif {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const metas = listContents([file], 'meta').map((meta) => meta.subarray(4))
  const infos = listContents(metas, 'iinf')
  const properties = listContents(listContents(metas, 'iprp'), 'ipco')
  return {
    brands: readBrands(file),
    isDerived:
      infos.some((info) => listItemTypes(info).some((type) => !plainItems.includes(type))) ||
      listContents(properties, 'clap').length > 0,
  }
}

function listContents(parents: Buffer[], type: string): Buffer[] {
  return parents.flatMap((parent) =>
    [...listBoxes(parent)].filter((box) => box.type === type).map(({ content }) => content),
  )
}

function listItemTypes(info: Buffer) {
  // The version decides how long the count before the items is.
  return listContents([info.subarray(info[0] === 0 ? 6 : 8)], 'infe').map(readItemType)
}

function readItemType(content: Buffer) {
  const at = content[0] === 3 ? 10 : 8
  return content.toString('latin1', at, at + 4)
}

function readBrands(file: Buffer) {
  const [major = '', , ...compatible] =
    [...listBoxes(file)][0]!.content.toString('latin1').match(/.{4}/gs) ?? []
  return [major, ...compatible]
}

interface Box {
  type: string
  content: Buffer
}

/** One that says it is larger than what holds it ends with that. */
function* listBoxes(file: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at)
    const isLong = size === 1 && at + 16 <= file.length
    const head = isLong ? 16 : 8
    const length = isLong ? Number(file.readBigUInt64BE(at + 8)) : size
    const end = size === 0 ? file.length : Math.min(file.length, at + Math.max(head, length))
    yield { type: file.toString('latin1', at + 4, at + 8), content: file.subarray(at + head, end) }
    at = end
  }
}
