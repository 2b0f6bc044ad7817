import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** With those above it, for its owner alone. Node's own recursive `mkdir` never ends where the system refuses folders, as in /proc. */
export function createFolder(path: string): void {
  if (existsSync(path)) return
  createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(path)) throw error
  }
}
