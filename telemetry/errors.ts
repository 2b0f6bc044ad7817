const maxLoggedLength = 500
const maxStackFrames = 12

/** One line of at most 500 characters: a caller's text can neither fill the log nor forge lines in it. */
export function logText(text: string): string {
  const cut = text.length > maxLoggedLength ? `${text.slice(0, maxLoggedLength)}…` : text
  return cut.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

/** The stack trace without SQL parameters, which contain personal data. */
export function readStackTrace(error: Error): string {
  const { type, message, stack } = describeError(error)
  return [`${type}: ${message}`, ...(stack ? [stack] : [])].join('\n')
}

export interface ErrorFields {
  type: string
  code?: string
  message: string
  /** Without the message. */
  stack?: string
}

/** Of the error that the database or the operating system reported, because Drizzle's own names the parameters of the statement. */
export function describeError(error: Error): ErrorFields {
  const cause = error.cause instanceof Error ? error.cause : error
  const { name: type = 'Error', message = '', stack = '' } = cause
  const code = errorCode(error)
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const calls = frames.filter((line) => /^ +at /.test(line)).slice(0, maxStackFrames)
  return {
    type,
    ...(code && { code }),
    message: logText(withoutValue(message, code)),
    ...(calls.length > 0 && !isOutage(code) && { stack: calls.join('\n') }),
  }
}

/** Of Postgres, the operating system or the shop. */
export function errorCode(error: Error): string | undefined {
  const { code } = (error.cause instanceof Error ? error.cause : error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Postgres quotes what it cannot read, such as `invalid input syntax for type uuid: "…"`. */
function withoutValue(message: string, code: string | undefined) {
  const [text] = message.split('\nparams:') as [string]
  return code?.startsWith('22') ? text.replace(/: ".*"/s, ': "…"') : text
}

/** The place in the code says nothing about why another program does not answer. */
function isOutage(code: string | undefined) {
  return /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|57P|08\d)/.test(code ?? '')
}
