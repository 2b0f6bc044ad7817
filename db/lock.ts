import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

/**
 * Keeps a data folder to one process, since the embedded engine would let two of them overwrite each other silently.
 * The lock is a local socket: the kernel drops it with the process, however that ends, so it is never stale.
 * Throws CannotStart when another process holds the folder.
 */
export async function lockFolder(folder: string): Promise<Server> {
  const id = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)
  const name = `winged-wheels-${id}`
  if (process.platform === 'linux') return listen(`\0${name}`, folder)
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`, folder)

  const file = join(tmpdir(), `${name}.sock`)
  if (!(await answers(file))) rmSync(file, { force: true })
  return listen(file, folder)
}

function listen(address: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Another Winged Wheels is already running on the data folder ${folder}.`
      reject(error.code === 'EADDRINUSE' ? new StartupError(taken) : error)
    })
    server.listen(address, () => resolve(server.unref()))
  })
}

function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
