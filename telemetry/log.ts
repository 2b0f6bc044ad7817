import fs from 'node:fs'
import { type DestinationStream, type Level, type LogFn, type Logger, pino } from 'pino'
import { describeError, errorCode } from './errors.ts'
import { logThrottle } from './log-throttle.ts'
import { redact } from './redact.ts'
import { currentRequest } from './request-context.ts'

export type LogLevel = Level | 'silent'

export interface LogSettings {
  level: LogLevel
  format: 'json' | 'text'
}

type Destination = DestinationStream & { flush?(): void }

const textDestination: Destination = { write: (line) => console.error(toText(line)) }

let destination: Destination = textDestination
let throttles = createThrottles()

/** The only way to write a log line. Personal data never belongs in a message or a field; `redact` is the second line of defence. */
export const log: Logger = pino(
  {
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    mixin: () => ({ ...currentRequest() }),
    serializers: { err: describeError },
    hooks: { logMethod: omitRepeats, streamWrite: redact },
  },
  { write: (line) => destination.write(line) },
)

/** JSON lines are written together, errors and warnings at once; pino writes what is left when the process exits. */
export function configureLog({ level, format }: LogSettings) {
  if (format === 'text') return sendLog(textDestination, level)
  const stream = pino.destination({
    dest: 2,
    sync: false,
    // So that no request makes a write of its own.
    minLength: 4_096,
    periodicFlush: 200,
    // A reader that stands still must not fill the memory.
    maxLength: 16 * 2 ** 20,
  })
  // A full disk must not stop the shop: the lines wait for the next try.
  stream.on('error', () => {})
  const flushSync = stream.flushSync.bind(stream)
  stream.flushSync = () => droppingRefused(flushSync)
  sendLog(stream, level)
}

/** When the process exits, pino would repeat a write for ever that a full disk refuses. */
function droppingRefused(flushSync: () => void) {
  const { writeSync } = fs
  fs.writeSync = (fd: number, data: string | NodeJS.ArrayBufferView) => {
    try {
      return writeSync(fd, data as string)
    } catch (error) {
      if (['EAGAIN', 'EBUSY'].includes(errorCode(error as Error) ?? '')) throw error
      return Buffer.byteLength(data as string)
    }
  }
  flushSync()
  fs.writeSync = writeSync
}

/** From now on; errors that were omitted before count as new. */
export function sendLog(to: Destination, level: LogLevel) {
  destination = to
  throttles = createThrottles()
  log.level = level
}

function createThrottles() {
  return {
    /** Errors with a code are of other programs: while one is down, every request has the same. */
    coded: logThrottle({ intervalMs: 10_000 }),
    others: logThrottle({ max: 20 }),
  }
}

function omitRepeats(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) {
  const isWarning = level >= log.levels.values.warn!
  const [first, message = first] = args as unknown as [{ err?: unknown } | string, string?]
  const err = isWarning && typeof first === 'object' ? first.err : undefined
  const omitted = err ? countOmitted(err as Error, String(message)) : 0
  if (omitted === null) return
  method.apply(this, omitted > 0 ? ([{ ...(first as object), omitted }, message] as never) : args)
  if (isWarning) destination.flush?.()
}

function countOmitted(error: Error, message: string) {
  const code = errorCode(error)
  // pg-boss appends in parentheses which worker it was.
  if (code) return throttles.coded(`${code} ${describeError(error).message.split(' (', 1)[0]}`)
  const [place = error.name] = describeError(error).stack?.split('\n') ?? []
  return throttles.others(`${message} ${place}`)
}

function toText(line: string) {
  const { time, level, msg, err, pid, ...fields } = JSON.parse(line)
  const details = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const error = err && `${err.type}: ${err.message}${err.stack ? `\n${err.stack}` : ''}`
  return [time.slice(11, 19), level, msg, ...details, ...(error ? [error] : [])].join(' ')
}
