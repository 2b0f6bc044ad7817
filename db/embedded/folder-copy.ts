import { copyFileSync, type Stats, statfsSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '#db/startup-error.ts'

/** Left to the shop by a copy. */
const reservedBytes = 256 * 2 ** 20
/** Above the resolution of file times: a file that was changed this recently may change again without a new time. */
const recentMs = 100

/**
 * Copies a folder whose files are being changed. `pause` must call `finish` while nothing changes them: it only copies again what has
 * changed since. Throws StartupError when the disk has too little room.
 */
export async function copyWhileServing(
  from: string,
  to: string,
  pause: (finish: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await rm(to, { recursive: true, force: true })
  const copied = new Map<string, string>()
  checkRoom(from, await filesIn(from))
  await mkdir(to, { recursive: true, mode: 0o700 })
  // The second copies what changed during the first, which can take long.
  for (let pass = 1; pass <= 2; pass++) {
    await wait(2 * recentMs)
    await copyChanged((path) => copyFile(join(from, path), join(to, path)))
  }
  // Synchronous, which is faster for small files.
  await pause(() => copyChanged((path) => copyFileSync(join(from, path), join(to, path))))

  async function copyChanged(copy: (path: string) => Promise<void> | void) {
    const found = await filesIn(from)
    for (const { path, isFile } of found) {
      if (!isFile) {
        await mkdir(join(to, path), { recursive: true })
        continue
      }
      const stats = statSync(join(from, path), { throwIfNoEntry: false })
      if (!stats || copied.get(path) === readState(stats)) continue
      const isRecent = Date.now() - stats.mtimeMs <= recentMs
      copied.set(path, isRecent ? 'recent' : readState(stats))
      await Promise.resolve(copy(path)).catch(ignoreMissing)
    }
    const current = new Set(found.map(({ path }) => path))
    for (const path of copied.keys()) {
      if (current.has(path)) continue
      copied.delete(path)
      await rm(join(to, path), { force: true })
    }
  }
}

interface Found {
  path: string
  isFile: boolean
}

/** Folders before what they contain. */
async function filesIn(folder: string, below = ''): Promise<Found[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  const found = entries.map(async (entry): Promise<Found[]> => {
    const path = join(below, entry.name)
    if (!entry.isDirectory()) return [{ path, isFile: true }]
    return [{ path, isFile: false }, ...(await filesIn(folder, path))]
  })
  return (await Promise.all(found)).flat()
}

function checkRoom(folder: string, files: Found[]) {
  let bytes = 0
  for (const { path } of files) bytes += statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes + reservedBytes)
    throw new StartupError(
      `DATA_DIR: a backup needs ${Math.ceil((bytes + reservedBytes) / 2 ** 20)} MB on the disk that holds ${folder}. Free up some space.`,
    )
}

function readState({ ino, size, mtimeMs }: Stats) {
  return `${ino} ${size} ${mtimeMs}`
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}
