import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from './file-store.ts'

/** Far more than what the embedded database needs to take orders. */
const reservedBytes = 256 * 2 ** 20

export function folderStore(path: string): FileStore {
  mkdirSync(path, { recursive: true })
  return {
    read: (name) => readFile(join(path, name)).catch(nullIfMissing),

    async write(name, { bytes }) {
      const unfinished = join(path, `${randomUUID()}.part`)
      try {
        await writeFile(unfinished, bytes, { flush: true })
        await rename(unfinished, join(path, name))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    list: () => readdir(path),

    async modifiedAt(name) {
      const stats = await stat(join(path, name)).catch(nullIfMissing)
      return stats?.mtime ?? null
    },

    remove: (name) => rm(join(path, name), { force: true }),

    async hasRoom() {
      const { bavail, bsize } = await statfs(path)
      return bavail * bsize > reservedBytes
    },
  }
}

function nullIfMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return null
  throw error
}
