import { once } from 'node:events'
import { resolve as absolute } from 'node:path'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { readAnswer } from './engine.ts'

/** AuthenticationOk and ReadyForQuery of the Postgres wire protocol. */
const connected = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73])
const terminate = 'X'.charCodeAt(0)

/** Of the only session: what its last connection left. */
const reset = 'rollback; deallocate all'

/** Takes one call at a time. */
export interface EngineSession {
  reset(): Promise<unknown>
  answer(message: Buffer): Promise<Uint8Array>
  close(): Promise<unknown>
}

/** On this thread: without a pause after each answer, queued statements would starve the event loop. */
export function sessionOn(engine: PGlite): EngineSession {
  return {
    reset: () => engine.exec(reset),
    async answer(message) {
      const answer = await readAnswer(engine, message)
      await setImmediate()
      return answer
    },
    close: () => engine.close(),
  }
}

/** On a thread of its own, so that a statement holds up nothing but the next ones. Rejects when the engine cannot start. */
export async function startSession(dataDir: string, onCrash: (error: Error) => void): Promise<EngineSession> {
  const thread = new Worker(absolute('db/embedded/engine-thread.ts'), {
    workerData: { dataDir, reset },
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  await once(thread, 'message')
  let isClosing = false
  let answered = (_: Uint8Array) => {}
  thread.on('message', (answer) => answered(answer))
  thread.on('error', onCrash)
  thread.on('exit', () => isClosing || onCrash(new Error('its thread has ended')))
  const ask = (message: Uint8Array<ArrayBuffer> | 'reset') =>
    new Promise<Uint8Array>((resolve) => {
      answered = resolve
      thread.postMessage(message, typeof message === 'string' ? [] : [message.buffer])
    })
  return {
    reset: () => ask('reset'),
    // A copy, because the memory of small buffers is shared.
    answer: (message) => ask(new Uint8Array(message)),
    close() {
      isClosing = true
      thread.postMessage('close')
      return once(thread, 'exit')
    },
  }
}

/** The connection of a node-postgres client to the embedded engine, which has one session. */
export class EngineConnection extends Duplex {
  readonly #session: EngineSession
  readonly #onCrash: (error: Error) => void
  #isConnected = false

  constructor(session: EngineSession, onCrash: (error: Error) => void) {
    super()
    this.#session = session
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
      .then(() => done(), done)
  }

  override _writev(messages: { chunk: Buffer }[], done: (error?: Error) => void) {
    this._write(Buffer.concat(messages.map(({ chunk }) => chunk)), 'binary' as BufferEncoding, done)
  }

  async #answer(message: Buffer) {
    if (!this.#isConnected) {
      this.#isConnected = true
      // The session is that of the last connection, which the pool has closed after an error.
      await this.#session.reset()
      this.push(connected)
    } else if (message[0] === terminate) {
      this.push(null)
    } else {
      const { buffer, byteOffset, byteLength } = await this.#session.answer(message)
      this.push(Buffer.from(buffer, byteOffset, byteLength))
    }
  }
}
