import { copyFileSync, type Stats, statfsSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

/** Left to the shop by a copy. */
const reservedBytes = 256 * 2 ** 20
/** Above the resolution of file times: a file that was changed this recently may change again without a new time. */
const recentMs = 2_000

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
  const first = await filesIn(from)
  checkRoom(from, first)
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const { path, isFile } of first) {
    if (!isFile) {
      await mkdir(join(to, path), { recursive: true })
      continue
    }
    const stats = await stat(join(from, path)).catch(nullIfMissing)
    const done = stats && (await copyFile(join(from, path), join(to, path)).then(() => true, nullIfMissing))
    if (done && Date.now() - stats.mtimeMs > recentMs) copied.set(path, stateOf(stats))
  }
  await pause(async () => {
    const last = await filesIn(from)
    for (const { path, isFile } of last) {
      if (!isFile) await mkdir(join(to, path), { recursive: true })
      // Synchronous, which is faster for many small files.
      else if (copied.get(path) !== stateOf(statSync(join(from, path))))
        copyFileSync(join(from, path), join(to, path))
    }
    const current = new Set(last.map(({ path }) => path))
    for (const { path } of first)
      if (!current.has(path)) await rm(join(to, path), { recursive: true, force: true })
  })
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

function stateOf({ ino, size, mtimeMs }: Stats) {
  return `${ino} ${size} ${mtimeMs}`
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
