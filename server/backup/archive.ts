import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { StartupError } from '#db/startup-error.ts'

export interface ArchivedFile {
  name: string
  size: number
  sha256: string
}

/** A tar file in zstd's format, which only its owner can read. Each file must fit in memory. */
export function createArchive(path: string) {
  const files: ArchivedFile[] = []
  const tar = pack()
  // The checksum covers everything, including the manifest.
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(tar, compress, target)
  // Reported by what waits for it.
  written.catch(() => {})

  return {
    files,
    async add(name: string, bytes: Uint8Array) {
      files.push(describeFile(name, bytes))
      const added = new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
          error ? reject(error) : resolve(),
        )
        entry.on('error', reject)
        entry.end(bytes)
      })
      await Promise.race([added, written])
    },
    /** Resolves when the disk has it. */
    async finish() {
      tar.finalize()
      await written
    },
    async discard() {
      target.destroy()
      await written.catch(() => {})
      await rm(path, { force: true })
    },
  }
}

/** Throws StartupError that names the first file that cannot be read. */
export async function* readArchive(path: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const tar = extract()
  const source = createReadStream(path)
  const read = pipeline(source, createZstdDecompress(), tar)
  read.catch(() => {})
  let last: string | undefined
  try {
    for await (const entry of tar) {
      last = entry.header.name
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk as Buffer)
      yield { name: last, bytes: Buffer.concat(chunks) }
    }
    await read
  } catch (error) {
    if (error instanceof StartupError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new StartupError(`Cannot read ${path} (${code}).`)
    throw new StartupError(
      last
        ? // What was read ahead is lost with the stream.
          `The backup is damaged or incomplete at ${last} or soon after it. Use another backup.`
        : `${path} is not a backup, or its beginning is damaged. Use another backup.`,
    )
  } finally {
    source.destroy()
  }
}

export function describeFile(name: string, bytes: Uint8Array): ArchivedFile {
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
