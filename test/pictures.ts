import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

interface TestPicture {
  width?: number
  height?: number
  /** Fill color; the top left quarter is white. */
  color?: string
  orientation?: number
  /** Adds photographer and location as EXIF and XMP. */
  gps?: boolean
  profile?: 'srgb' | 'p3' | 'cmyk'
}

export const photographer = 'Ada of Hawthorn Lane 12'

export const payload = '<script>alert("polyglot")</script>'

export const jpeg = (picture?: TestPicture) => make('jpeg', picture)
export const png = (picture?: TestPicture) => make('png', picture)
export const webp = (picture?: TestPicture) => make('webp', picture)
export const avif = (picture?: TestPicture) => make('avif', picture)

export async function transparentPng({ width = 400, height = 300, alpha = 0 } = {}) {
  const background = { r: 200, g: 0, b: 0, alpha }
  return blob(
    await sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer(),
    'image/png',
  )
}

/** A JPEG that is also HTML and JavaScript: in its comment and after its end. */
export async function polyglot(): Promise<Blob> {
  const whole = await bytes(jpeg())
  const comment = Buffer.from(`*/=1;${payload}/*`)
  const marker = Buffer.from([0xff, 0xfe, 0, 0])
  marker.writeUInt16BE(comment.length + 2, 2)
  const behind = Buffer.from(`*/alert("polyglot")//<html><body>${payload}</body></html>`)
  return blob(Buffer.concat([whole.subarray(0, 2), marker, comment, whole.subarray(2), behind]), 'image/jpeg')
}

const reasons = {
  notAPhoto: 'Choose a JPEG, PNG, WebP or AVIF photo.',
  damaged: 'Part of this photo is missing or damaged. Save or send it again, and choose the new file.',
  pixels: 'This photo has more than 50 megapixels. Choose a smaller one.',
}

/** Files that the shop must reject, all declared as JPEG, and why. */
export async function notPictures(): Promise<[name: string, file: Blob, reason: string][]> {
  const [jpg, wide] = await Promise.all([bytes(jpeg()), bytes(png({ width: 900, height: 700 }))])
  const notPhotos: Record<string, string | Buffer> = {
    nothing: '',
    text: 'A bicycle chain.',
    HTML: `<!doctype html><html><body>${payload}</body></html>`,
    'an SVG with a script': `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">${payload}</svg>`,
    'a plain SVG':
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>',
    'an SVG that a billion laughs hide in': billionLaughs(),
    'a PDF':
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    'a TIFF': await draw({}).tiff().toBuffer(),
    'a BMP': bitmap(),
    'a GIF of 2,000 frames': animation(2_000),
  }
  const damaged = {
    'a JPEG that ends halfway': jpg.subarray(0, jpg.length / 2),
    'a JPEG of its first bytes': jpg.subarray(0, 3),
    'a PNG that ends halfway': wide.subarray(0, wide.length / 2),
    'a PNG of its first bytes': wide.subarray(0, 8),
    'a WebP that ends halfway': halfOf(await bytes(webp({ color: '#876' }))),
    'an AVIF that ends halfway': halfOf(await bytes(avif())),
  }
  const large = {
    'a PNG of one pixel that says it has 60,000 × 60,000': hugePng(),
    'a JPEG that says it has 60,000 × 60,000': hugeJpeg(jpg),
    'a whole PNG of 50.4 million pixels': blackPng(7_000, 7_200),
  }
  return [
    ...refused(notPhotos, reasons.notAPhoto),
    ...refused(damaged, reasons.damaged),
    ...refused(large, reasons.pixels),
  ]
}

function refused(files: Record<string, string | Buffer>, reason: string) {
  return Object.entries(files).map(([name, content]): [string, Blob, string] => {
    const parts = [typeof content === 'string' ? content : new Uint8Array(content)]
    return [name, new File(parts, 'chain.jpg', { type: 'image/jpeg' }), reason]
  })
}

export function animation(frames: number) {
  const screen = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  const frame = Buffer.from('!\xf9\x04\0\x02\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0', 'latin1')
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

/** The first frame is red, the others blue. */
export async function animatedWebp({ width = 60, height = 40, frames = 3 } = {}) {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, frame) =>
      sharp({ create: { width, height, channels: 3, background: frame ? '#00f' : '#f00' } })
        .png()
        .toBuffer(),
    ),
  )
  return blob(
    await sharp(pages, { join: { animated: true } })
      .webp()
      .toBuffer(),
    'image/webp',
  )
}

const made = new Map<string, Promise<Blob>>()

function make(format: Format, picture: TestPicture = {}): Promise<Blob> {
  const key = JSON.stringify([format, picture])
  const blob = made.get(key) ?? encode(format, picture)
  made.set(key, blob)
  return blob
}

type Format = 'jpeg' | 'png' | 'webp' | 'avif'

async function encode(format: Format, picture: TestPicture): Promise<Blob> {
  const { gps, profile, orientation } = picture
  let drawn = draw(picture)
  if (profile === 'cmyk') drawn = drawn.toColourspace('cmyk')
  if (profile) drawn = drawn.withIccProfile(profile)
  if (gps) drawn = drawn.withExif(exif).withXmp(xmp)
  if (orientation) drawn = drawn.withMetadata({ orientation })
  return blob(await drawn.toFormat(format, quality[format]).toBuffer(), `image/${format}`)
}

const quality = {
  jpeg: { quality: 95, chromaSubsampling: '4:4:4' },
  png: {},
  webp: { quality: 95 },
  avif: { quality: 90, effort: 1 },
} as const

const exif = {
  IFD0: { Artist: photographer, Copyright: photographer },
  IFD2: { DateTimeOriginal: '2024:05:01 10:00:00', BodySerialNumber: '4711' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 0/1',
  },
}

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${photographer}"/></rdf:RDF></x:xmpmeta>`

function draw({ width = 400, height = 300, color = '#b4523c' }: TestPicture): Sharp {
  const corner = {
    create: {
      width: Math.ceil(width / 2),
      height: Math.ceil(height / 2),
      channels: 3,
      background: '#fff',
    },
  } as const
  return sharp({ create: { width, height, channels: 3, background: color } })
    .composite([{ input: corner, left: 0, top: 0 }])
    .removeAlpha()
}

function billionLaughs() {
  const lines = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${lines.join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><text>&l9;</text></svg>`
}

function hugePng() {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(60_000, 0)
  header.writeUInt32BE(60_000, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixel = deflateSync(Buffer.from([0, 200, 0, 0]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixel),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A valid file of one bit per pixel: a few kilobytes, however many pixels. */
export function blackPng(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer) {
  const named = Buffer.concat([Buffer.from(name), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function hugeJpeg(whole: Buffer) {
  const huge = Buffer.from(whole)
  const frame = huge.indexOf(Buffer.from([0xff, 0xc0]))
  huge.writeUInt16BE(60_000, frame + 5)
  huge.writeUInt16BE(60_000, frame + 7)
  return huge
}

function bitmap() {
  const file = Buffer.alloc(58)
  file.write('BM')
  file.writeUInt32LE(58, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(1, 18)
  file.writeInt32LE(1, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.writeUInt32LE(4, 34)
  file.set([0, 0, 255], 54)
  return file
}

function halfOf(whole: Buffer) {
  return whole.subarray(0, whole.length / 2)
}

async function bytes(picture: Promise<Blob>) {
  return Buffer.from(await (await picture).bytes())
}

function blob(content: Buffer, type: string) {
  return new Blob([new Uint8Array(content)], { type })
}
