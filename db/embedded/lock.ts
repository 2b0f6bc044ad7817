import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '#db/startup-error.ts'

/** `f_type` of file systems that several machines mount and whose locks may hold on one of them only. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
])
const sqliteBusy = 5

/** Keeps the lock files from being closed by the garbage collector. */
const locks = new Set<DatabaseSync>()

/**
 * Locks the file `lock` in the folder for this process, in the form of SQLite's exclusive lock: it holds for every path, mount and
 * container that reaches the folder, and the kernel releases it with the process. Throws StartupError when it is locked or
 * cannot be. Returns the function that releases it.
 */
export function lockFolder(folder: string): () => void {
  const fileSystem = process.platform === 'linux' && networkFileSystems.get(statfsSync(folder).type)
  if (fileSystem)
    throw new StartupError(
      `DATA_DIR: ${folder} is on ${fileSystem}, where another machine could open it too. Use a local disk, or set DATABASE_URL.`,
    )
  try {
    const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
    // Without a journal nothing is written, so that a full disk does not matter.
    file.exec('pragma journal_mode = off; begin exclusive')
    locks.add(file)
    return () => {
      locks.delete(file)
      file.close()
    }
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    throw new StartupError(
      errcode === sqliteBusy
        ? `DATA_DIR: a running shop is using ${folder}. Stop it, or use another folder.`
        : `DATA_DIR: cannot lock ${join(folder, 'lock')} (${message}).`,
    )
  }
}
