import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'

/** A whole response as it is sent, so that one write sends it. */
export interface RawResponse {
  /** With the current date. The buffer is shared. */
  bytes(): Buffer
  /** The same without the body, for HEAD. */
  head(): Buffer
}

/** How long node:http keeps a connection on which nothing is requested. */
export const keepAliveSeconds = 5

const dateLength = new Date(0).toUTCString().length

/** For connections that are kept. */
export function createRawResponse(
  status: number,
  headers: Headers,
  body: Uint8Array = new Uint8Array(),
): RawResponse {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ndate: `
  const rest = [
    '',
    ...lines,
    'connection: keep-alive',
    `keep-alive: timeout=${keepAliveSeconds}`,
    '',
    '',
  ].join('\r\n')
  const head = Buffer.from(start + ' '.repeat(dateLength) + rest, 'latin1')
  const bytes = Buffer.concat([head, body])
  let writtenDate = ''

  function dated() {
    const date = currentDate()
    // Of the same length, so what is still being sent stays valid.
    if (date !== writtenDate) bytes.write(date, start.length, 'latin1')
    writtenDate = date
    return bytes
  }
  return { bytes: dated, head: () => dated().subarray(0, head.length) }
}

let second = 0
let date = ''

function currentDate() {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    date = new Date(now * 1000).toUTCString()
  }
  return date
}

/** Whether `sendRawResponse` can respond: nothing else is being sent, and the client keeps the connection. */
export function acceptsRawResponse(
  { httpVersion, headers }: IncomingMessage,
  { socket }: ServerResponse,
): boolean {
  // Without a socket, the response waits for an earlier one.
  return (
    socket?.writableLength === 0 &&
    httpVersion === '1.1' &&
    !/\bclose\b/i.test(headers.connection ?? '') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}

/**
 * Writes it to the connection. A ServerResponse would assemble its headers each time, which takes longer than all else. The
 * event tells the server that the response is over.
 */
export function sendRawResponse(raw: RawResponse, { method }: IncomingMessage, response: ServerResponse) {
  const socket = response.socket!
  const end = () => response.emit('finish')
  socket.write(method === 'HEAD' ? raw.head() : raw.bytes(), (error) => {
    if (!error && !isSent) end()
  })
  // Otherwise the client reads slowly, and the response is over when it has read all.
  const isSent = socket.writableLength === 0
  if (isSent) end()
}
