import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

/** The kernel releases the local socket with the process, so the lock is never stale. Throws StartupError when locked. */
export async function lockFolder(folder: string): Promise<Server> {
  const id = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)
  const name = `winged-wheels-${id}`
  if (process.platform === 'linux') return listen(`\0${name}`, folder)
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`, folder)

  const file = join(tmpdir(), `${name}.sock`)
  if (!(await isListening(file))) rmSync(file, { force: true })
  return listen(file, folder)
}

function listen(path: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Another Winged Wheels is already running on the data folder ${folder}.`
      reject(error.code === 'EADDRINUSE' ? new StartupError(message) : error)
    })
    server.listen(path, () => resolve(server.unref()))
  })
}

function isListening(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
