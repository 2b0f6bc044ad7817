import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'

/** AuthenticationOk and ReadyForQuery of the Postgres wire protocol. */
const connected = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73])
const terminate = 'X'.charCodeAt(0)

/** Of `dataDir`, or of a dump in memory. */
export async function startEngine(options: PGliteOptions & { dataDir: string }): Promise<PGlite> {
  // Shops on a server do not need it.
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ])
  return PGlite.create({
    ...options,
    // Required to open existing data folders.
    extensions: { pg_trgm },
    // -F disables fsync: remove it, so that the WAL is flushed as far as the embedded engine can.
    startParams: [
      ...PGlite.defaultStartParams.filter((flag) => flag !== '-F'),
      '-c',
      'wal_sync_method=open_datasync',
    ],
  })
}

/**
 * The connection of a node-postgres client to the embedded engine, which has one session. The engine runs on this thread: without a
 * pause after each answer, queued statements would starve the event loop.
 */
export class EngineConnection extends Duplex {
  readonly #engine: PGlite
  readonly #onCrash: (error: Error) => void
  #isConnected = false

  constructor(engine: PGlite, onCrash: (error: Error) => void) {
    super()
    this.#engine = engine
    this.#onCrash = onCrash
  }

  // What node-postgres calls on a socket.
  connect() {
    queueMicrotask(() => this.emit('connect'))
    return this
  }
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}

  override _read() {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void) {
    this.#answer(message)
      .catch((error) => {
        this.#onCrash(error)
        throw error
      })
      .then(() => setImmediate())
      .then(() => done(), done)
  }

  override _writev(messages: { chunk: Buffer }[], done: (error?: Error) => void) {
    this._write(Buffer.concat(messages.map(({ chunk }) => chunk)), 'binary' as BufferEncoding, done)
  }

  async #answer(message: Buffer) {
    if (!this.#isConnected) {
      this.#isConnected = true
      // The session is that of the last connection, which the pool has closed after an error.
      await this.#engine.exec('rollback; deallocate all')
      this.push(connected)
    } else if (message[0] === terminate) {
      this.push(null)
    } else {
      const answer: Buffer[] = []
      // The engine reuses the memory of its answers, and drops what is thrown while it calls.
      const onRawData = (bytes: Uint8Array) => answer.push(Buffer.from(bytes))
      await this.#engine.execProtocolRawStream(message, { onRawData })
      this.push(Buffer.concat(answer))
    }
  }
}
