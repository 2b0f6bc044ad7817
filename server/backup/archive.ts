import { createHash } from 'node:crypto'
import { createReadStream, existsSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { createFolder } from '#db/embedded/folder.ts'
import { StartupError } from '#db/startup-error.ts'
import { describeSystemError } from '#db/system-error.ts'
import { flushFolder } from './files.ts'
import { addSeal, readSeal, type Seal } from './seal.ts'

export interface ArchivedFile {
  name: string
  size: number
  sha256: string
}

/**
 * A tar file in zstd's format, which only its owner can read. It has another name until it is finished. Each file must fit in memory.
 * Throws StartupError when it cannot be written.
 */
export async function createArchive(path: string) {
  if (existsSync(path)) throw new StartupError(`${path} already exists. Choose another name.`)
  const unfinished = `${path}.part`
  const files: ArchivedFile[] = []
  const tar = pack()
  // Without zstd’s checksum: the seal covers everything, and a damaged file can be read up to the manifest, which says where.
  const compress = createZstdCompress()
  const target = await openTarget(unfinished).catch(reject)
  const seal = addSeal(() => files.at(-1)!.sha256)
  const written = pipeline(tar, compress, seal, target).catch(reject)
  // Reported by what waits for it.
  written.catch(() => {})

  return {
    files,
    async add(name: string, bytes: Uint8Array) {
      files.push(describeFile(name, bytes))
      try {
        await Promise.race([written, addEntry(name, bytes)])
      } catch (error) {
        // The tar file ends with its target, which knows why.
        tar.destroy()
        await written
        throw error
      }
    },
    /** Resolves when the disk has it. `verify` reads it before it gets its name. */
    async finish(verify?: (unfinished: string) => Promise<unknown>) {
      tar.finalize()
      await written
      await verify?.(unfinished)
      await rename(unfinished, path)
        .then(() => flushFolder(dirname(path)))
        .catch(reject)
    },
    async discard() {
      target.destroy()
      await written.catch(() => {})
      await rm(unfinished, { force: true })
    },
  }

  function addEntry(name: string, bytes: Uint8Array) {
    return new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      entry.on('error', reject)
      entry.end(bytes)
    })
  }

  function reject(error: unknown): never {
    throw new StartupError(`Cannot write to ${path}: ${describeSystemError(error)}.`)
  }
}

async function openTarget(path: string) {
  createFolder(dirname(path))
  // Of a backup that was killed.
  rmSync(path, { force: true })
  const handle = await open(path, 'wx', 0o600)
  return handle.createWriteStream({ flush: true })
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
    if ((error as NodeJS.ErrnoException).syscall) throw cannotRead(path, error)
    throw last
      ? // What was read ahead is lost with the stream.
        damageAt(`${last} or soon after it`)
      : new StartupError(`${path} is not a backup, or its beginning is damaged. Use another backup.`)
  } finally {
    source.destroy()
  }
}

/** Null for an archive of an older version. */
export async function checkSeal(path: string): Promise<Seal | null> {
  try {
    return await readSeal(path)
  } catch (error) {
    throw cannotRead(path, error)
  }
}

export function damageAt(place: string) {
  return new StartupError(`The backup is damaged or incomplete at ${place}. Use another backup.`)
}

function cannotRead(path: string, error: unknown) {
  return new StartupError(`Cannot read ${path}: ${describeSystemError(error)}.`)
}

export function describeFile(name: string, bytes: Uint8Array): ArchivedFile {
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
