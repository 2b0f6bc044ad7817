import { Buffer } from 'node:buffer'

export interface Jpeg {
  /** `unusual` is what browsers do not show, or what takes too long. */
  state: 'whole' | 'perhaps cut' | 'cut' | 'unusual'
  /** The first picture of the file and nothing else, as the standard has it. */
  bytes: Buffer
}

interface Segment {
  marker: number
  header: Buffer
  /** What follows a scan’s header; empty for any other segment. */
  data: Buffer
  /** Whether the file ends before its header does. */
  isCut: boolean
}

const [startOfImage, endOfImage] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
const [scan, end] = [0xda, 0xd9]
const [baseline, extended, progressive] = [0xc0, 0xc1, 0xc2]
/** A progressive JPEG usually has about 10. Each is decoded over the whole picture, which sharp’s timeout does not interrupt. */
const maxScans = 64
/** Ten times as many as photos have: each takes memory. */
const maxSegments = 5_000

export function isJpeg(bytes: Uint8Array) {
  return bytes[0] === 0xff && bytes[1] === 0xd8
}

/**
 * Keeps the segments that libjpeg would find: it skips padding and stray bytes before a marker, and reads nothing behind the first end
 * marker, where phones put videos, gain maps and notes of their own.
 */
export function readJpeg(bytes: Uint8Array): Jpeg {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const segments: Segment[] = []
  for (const segment of listSegments(file)) {
    segments.push(segment)
    if (isUnusual(segment) || segments.length > maxSegments) return { state: 'unusual', bytes: file }
    if (segment.marker === end) break
  }
  if (segments.filter(({ marker }) => marker === scan).length > maxScans)
    return { state: 'unusual', bytes: file }
  const frame = segments.find(isFrame)?.marker
  const pieces = segments.flatMap(({ marker, header, data }) => [
    marker === scan && frame !== progressive ? declareAllCoefficients(header) : header,
    data,
  ])
  const hasEnd = segments.at(-1)?.marker === end
  return {
    state: hasEnd && frame ? 'whole' : isPerhapsWhole(segments) ? 'perhaps cut' : 'cut',
    bytes: Buffer.concat([startOfImage, ...pieces, ...(hasEnd ? [] : [endOfImage])]),
  }
}

function* listSegments(file: Buffer): Generator<Segment> {
  for (let at = findMarker(file, 2); at < file.length; ) {
    const marker = file[at + 1]!
    const to = at + 2 + (marker === end ? 0 : readLength(file, at + 2))
    const next = marker === scan ? findEndOfScan(file, to) : findMarker(file, to)
    const data = marker === scan ? file.subarray(to, next) : Buffer.alloc(0)
    if (!hasNoContent(marker))
      yield {
        marker,
        header: file.subarray(at, to),
        data: next === file.length ? withoutZeros(data) : data,
        isCut: to > file.length,
      }
    at = hasNoContent(marker) ? findMarker(file, at + 2) : next
  }
}

function readLength(file: Buffer, at: number) {
  return Math.max(2, at + 1 < file.length ? file.readUInt16BE(at) : 0)
}

/** Where the next one begins; the file’s length when there is none. */
function findMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1]
    if (marker !== undefined && marker !== 0 && marker !== 0xff) return at
  }
  return file.length
}

/** Restarts are part of a scan’s data. */
function findEndOfScan(file: Buffer, from: number): number {
  let at = findMarker(file, from)
  while (at < file.length && (file[at + 1]! < baseline || isRestart(file[at + 1]!)))
    at = findMarker(file, at + 2)
  return at
}

function isRestart(marker: number) {
  return marker >= 0xd0 && marker <= 0xd7
}

function hasNoContent(marker: number) {
  return marker === 0x01 || marker === 0xd8 || isRestart(marker)
}

/** A disk block that was not filled. */
function withoutZeros(data: Buffer) {
  let length = data.length
  while (length > 0 && data[length - 1] === 0) length--
  return data.subarray(0, length)
}

function isFrame({ marker }: Segment) {
  return marker >= baseline && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Lossless, hierarchical, or with arithmetic coding, whose scans need almost no bytes. */
function isUnusual(segment: Segment) {
  return isFrame(segment) && ![baseline, extended, progressive].includes(segment.marker)
}

/** Some phones declare a scan of no coefficients in a picture that is not progressive. All viewers read all of them. */
function declareAllCoefficients(header: Buffer) {
  const changed = Buffer.from(header)
  if (changed.length >= 10) changed.set([0, 63, 0], changed.length - 3)
  return changed
}

/** Whether the last scan is there, of whose data some may be missing. */
function isPerhapsWhole(segments: Segment[]) {
  const frame = segments.find(isFrame)
  const last = segments.at(-1)
  if (!frame || last?.marker !== scan || last.isCut) return false
  if (frame.marker !== progressive) return true
  const scans = segments.filter(({ marker }) => marker === scan)
  return new Set(scans.flatMap(listFinal)).size === frame.header[9]! * 64
}

/** The coefficients that no later scan of a progressive picture makes more exact. */
function listFinal({ header }: Segment): string[] {
  const components = header[4] ?? 0
  const [first = 0, last = 0, precision = 1] = header.subarray(5 + 2 * components)
  const coefficients = Array.from({ length: 64 }, (_, i) => i).filter((i) => i >= first && i <= last)
  if (precision % 16 !== 0) return []
  return Array.from({ length: components }, (_, i) => header[5 + 2 * i]).flatMap((id) =>
    coefficients.map((coefficient) => `${id} ${coefficient}`),
  )
}
