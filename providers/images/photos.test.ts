import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { normalise } from './encode.ts'
import { readJpeg } from './jpeg.ts'

const encode = (picture: Sharp) => picture.webp({ effort: 0 })

/** Made by the program in its name. */
function read(name: string) {
  return readFile(`test/world/photos/${name}`)
}

const jpegs = ['imagemagick.jpg', 'ffmpeg.jpg', 'jpegtran-progressive.jpg']

async function readPixels(photo: Buffer) {
  return sharp(photo).removeAlpha().raw().toBuffer()
}

async function explain(photo: Buffer) {
  return normalise(photo, encode).then(
    () => 'accepted',
    ({ message }: Error) => message,
  )
}

const damaged = 'Part of this photo is missing or damaged. Save or send it again, and choose the new file.'
const endMarker = Buffer.from([0xff, 0xd9])

function segment(marker: number, content: Buffer) {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

function insertAt(photo: Buffer, at: number, content: Buffer) {
  return Buffer.concat([photo.subarray(0, at), content, photo.subarray(at)])
}

/** As some Samsung phones write it into pictures that are not progressive. */
function emptyScanHeader(photo: Buffer) {
  const changed = Buffer.from(photo)
  const scan = photo.indexOf(Buffer.from([0xff, 0xda]))
  changed.set([0, 0, 0], scan + 2 + photo.readUInt16BE(scan + 2) - 3)
  return changed
}

test('a photo of each program is accepted, whatever words its metadata has', async () => {
  for (const name of [...jpegs, 'avifenc.avif', 'avifenc-words.avif'])
    expect(await explain(await read(name)), name).toBe('accepted')
})

test('what viewers pass over in a JPEG changes no pixel', async () => {
  const video = await read('ffmpeg.mp4')
  const samsung = segment(
    0xe4,
    Buffer.concat([Buffer.from('QDIOBSSEFH'), Buffer.from('ffdaffd9ffc9', 'hex')]),
  )
  for (const name of jpegs) {
    const photo = await read(name)
    const gainMap = await read('ffmpeg.jpg')
    const scans = Buffer.from('ffda000c'.repeat(200), 'hex')
    const trailer = Buffer.concat([Buffer.from('SEFH'), scans, Buffer.from('SEFT')])
    const variants: Record<string, Buffer> = {
      'no end marker': photo.subarray(0, -2),
      'half an end marker': photo.subarray(0, -1),
      'no end marker, zeros of a disk block': Buffer.concat([photo.subarray(0, -2), Buffer.alloc(512)]),
      'zeros before the end marker': insertAt(photo, photo.length - 2, Buffer.alloc(20)),
      'padding before the end marker': insertAt(photo, photo.length - 2, Buffer.alloc(20, 0xff)),
      'padding before the first segment': insertAt(photo, 2, Buffer.alloc(30, 0xff)),
      'stray zeros before the first segment': insertAt(photo, 2, Buffer.alloc(4)),
      'a segment with markers in it': insertAt(photo, 2, samsung),
      'a video': Buffer.concat([photo, video]),
      'a gain map': Buffer.concat([photo, gainMap]),
      'zeros between it and a gain map': Buffer.concat([photo, Buffer.alloc(700), gainMap]),
      'a trailer that looks like scans': Buffer.concat([photo, trailer]),
      'no end marker after Samsung’s scan header':
        name === 'jpegtran-progressive.jpg' ? photo.subarray(0, -2) : emptyScanHeader(photo).subarray(0, -2),
      'Samsung’s scan header': name === 'jpegtran-progressive.jpg' ? photo : emptyScanHeader(photo),
    }
    const expected = await readPixels(await normalise(photo, encode))
    for (const [what, variant] of Object.entries(variants)) {
      const pixels = await normalise(variant, encode).then(readPixels, ({ message }) => message)
      expect(expected.equals(pixels), `${name}: ${what}`).toBe(true)
    }
  }
})

test('a JPEG that was cut anywhere in its picture is refused as incomplete', async () => {
  for (const name of jpegs) {
    const photo = await read(name)
    const scan = photo.indexOf(Buffer.from([0xff, 0xda]))
    for (let cut = 3; cut < photo.length - 4; cut += cut < scan ? 61 : 37) {
      const start = photo.subarray(0, cut)
      const afterHeader = cut > scan + 14 ? [emptyScanHeader(start)] : []
      for (const variant of [start, Buffer.concat([start, Buffer.alloc(300)]), ...afterHeader])
        expect(await explain(variant), `${name} cut at ${cut}`).toBe(damaged)
    }
    expect(await explain(Buffer.concat([photo.subarray(0, (scan + photo.length) >> 1), endMarker]))).toBe(
      damaged,
    )
  }
})

test('what is refused is refused for its own reason', async () => {
  const wide = await sharp({ create: { width: 20_001, height: 1, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer()
  const large = { width: 4_000, height: 3_001, channels: 3, background: '#000' } as const
  for (const [photo, reason] of [
    [await read('heif-enc.heic'), /HEIC.*save this one as a JPEG.*Most Compatible/i],
    [await read('avifenc-grid.avif'), /made of tiles/],
    [await read('avifenc-crop.avif'), /made of tiles or cropped/],
    [await read('ffmpeg-animated.avif'), /animated/],
    [await read('jpegtran-arithmetic.jpg'), /compressed in a way/],
    [await sharp({ create: large }).avif({ effort: 0 }).toBuffer(), /more than 12 megapixels/],
    [wide, /more than 20,000 pixels/],
    [await read('ffmpeg.mp4'), /^Choose a JPEG/],
  ] as const)
    expect(await explain(photo)).toMatch(reason)
})

test('no JPEG is told to be no JPEG, however its bytes are changed', async () => {
  const photos = await Promise.all(jpegs.map(read))
  const change = fc.record({
    photo: fc.constantFrom(...photos),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
    inserts: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ photo, at, bytes, inserts }) => {
      const index = 2 + Math.floor(at * (photo.length - 2))
      const changed = inserts
        ? insertAt(photo, index, Buffer.from(bytes))
        : Buffer.concat([photo.subarray(0, index), bytes, photo.subarray(index + bytes.length)])
      expect(await explain(changed)).not.toMatch(/^Choose a JPEG/)
      // What goes to the decoder is read the same way again.
      const first = readJpeg(changed)
      if (first.state === 'unusual' || first.state === 'cut') return
      expect(readJpeg(first.bytes)).toEqual({ state: 'whole', bytes: first.bytes })
    }),
    { numRuns: 400 },
  )
})
