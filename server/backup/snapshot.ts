import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { StartupError } from '#db/startup-error.ts'
import { log } from '#telemetry/log.ts'

/**
 * Only one process can open an embedded database. While a shop runs, it copies the files for whoever connects to a socket in its data
 * folder, and deletes the copy when the connection ends.
 */
export async function serveSnapshots(
  dataDir: string,
  copyFiles: (to: string) => Promise<void>,
): Promise<() => Promise<void>> {
  const folder = join(dataDir, 'snapshot')
  // The shop that made them was killed.
  await rm(folder, { recursive: true, force: true })
  if (process.platform !== 'win32') await rm(findSocket(dataDir), { force: true })
  const sockets = new Set<Socket>()
  let isBusy = false

  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const ended = new Promise<void>((done) => socket.once('close', () => done()))
    socket.once('close', () => sockets.delete(socket)).resume()
    if (isBusy) return socket.end(JSON.stringify({ error: 'Another backup is running. Try again later.' }))
    isBusy = true
    try {
      await copyFiles(folder)
      socket.write(`${JSON.stringify({ folder: resolve(folder) })}\n`)
      await ended
    } catch (error) {
      socket.end(JSON.stringify({ error: (error as Error).message }))
    } finally {
      await rm(folder, { recursive: true, force: true }).catch((err) =>
        log.error({ err }, 'the copy of a backup could not be deleted'),
      )
      isBusy = false
    }
  })
  server.on('error', (error) =>
    log.warn(
      { err: error },
      `This shop cannot be backed up while it runs. Use a shorter DATA_DIR on a local disk.`,
    ),
  )
  await new Promise<void>((done) => {
    server.once('error', () => done()).listen(findSocket(dataDir), done)
  })
  return async () => {
    const closed = new Promise((done) => server.close(done))
    for (const socket of sockets) socket.destroy()
    await closed
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of the shop that runs on the data folder; null without one. `close` lets it delete the copy. */
export async function requestSnapshot(dataDir: string): Promise<{ folder: string; close(): void } | null> {
  const socket = connect(findSocket(dataDir))
  const answer = await new Promise<string | null>((done, reject) => {
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      received += text
      if (received.includes('\n')) done(received)
    })
    socket.on('end', () => done(received))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
      if (isAbsent) done(null)
      else reject(error)
    })
  })
  if (answer === null) return null
  const { folder, error } = (answer ? JSON.parse(answer) : {}) as { folder?: string; error?: string }
  if (folder) return { folder, close: () => socket.destroy() }
  socket.destroy()
  throw new StartupError(error ?? 'The shop ended before it had copied its database. Try again.')
}

/** Relative where that is shorter: the system limits the length to about a hundred characters. */
function findSocket(dataDir: string) {
  if (process.platform === 'win32') {
    const id = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)
    return `\\\\?\\pipe\\winged-wheels-${id}`
  }
  const path = resolve(dataDir, 'backup.sock')
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}
