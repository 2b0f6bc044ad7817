import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Begins a frame of 64 bytes that zstd skips: the SHA-256 of the last file, then that of all bytes of the archive before. */
const header = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 64, 0, 0, 0])
const hashBytes = 32
const sealBytes = header.length + 2 * hashBytes

/** zstd’s own checksum neither covers its end nor says what is damaged. `lastFile` is asked for at the end. */
export function addSeal(lastFile: () => string) {
  return async function* (source: AsyncIterable<Uint8Array>) {
    const hash = createHash('sha256')
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
    const start = Buffer.concat([header, Buffer.from(lastFile(), 'hex')])
    yield Buffer.concat([start, hash.update(start).digest()])
  }
}

export interface Seal {
  /** Whether no byte of the archive has changed. */
  isIntact: boolean
  /** Its SHA-256. */
  lastFile: string
}

/** Null for a file that does not end with one, such as those of older versions. */
export async function readSeal(path: string): Promise<Seal | null> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size < sealBytes) return null
    const { buffer: seal } = await handle.read(Buffer.alloc(sealBytes), 0, sealBytes, size - sealBytes)
    if (!seal.subarray(0, header.length).equals(header)) return null
    const hash = createHash('sha256')
    const sealed = handle.createReadStream({ start: 0, end: size - hashBytes - 1, autoClose: false })
    for await (const chunk of sealed) hash.update(chunk)
    return {
      isIntact: hash.digest().equals(seal.subarray(-hashBytes)),
      lastFile: seal.subarray(header.length, -hashBytes).toString('hex'),
    }
  } finally {
    await handle.close()
  }
}
