import { Transform } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { nonceContext } from './context.ts'

export const streamTimeout = 5_000

/** Streams a page as soon as its frame stands; to a search engine, once it is whole. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const whole = isbot(request.headers.get('user-agent') ?? '') || entry.isSpaMode

  return new Promise((resolve, reject) => {
    let shell = false
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={entry} url={request.url} nonce={nonce} />,
      {
        nonce,
        [whole ? 'onAllReady' : 'onShellReady']() {
          shell = true
          const body = unhurried()
          headers.set('Content-Type', 'text/html; charset=utf-8')
          // It is in the theme of whoever asked, and its numbers may be others in a moment.
          headers.set('Cache-Control', 'private, no-cache')
          headers.append('Vary', 'Cookie')
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
          pipe(body)
        },
        onShellError: reject,
        onError(error) {
          // Before the frame stands the error rejects above; after, the page goes on and the log has it.
          if (shell) console.error(error)
        },
      },
    )
    setTimeout(abort, streamTimeout + 1_000).unref()
  })
}

/** What is seen comes first: without this, browsers fetch scripts before pictures and the typeface. */
function unhurried() {
  const link = '<link rel="modulepreload"'
  return new Transform({
    transform(chunk: Buffer, _, done) {
      // In latin1 each byte stays what it is, also where a letter is cut in two.
      const written = chunk.toString('latin1').replaceAll(link, `${link} fetchpriority="low"`)
      done(null, Buffer.from(written, 'latin1'))
    },
  })
}
