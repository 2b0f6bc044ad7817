import { Transform } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import pLimit from 'p-limit'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { logText, stackTraceOf } from '#shop/errors.ts'
import { completeContext, nonceContext } from './context.ts'

export const streamTimeout = 5_000

/** One page at a time, each in its own iteration of the event loop, so that answers of the database are read between pages. */
const drawing = pLimit(1)

/** Streams from the shell on; crawlers get the page once it is complete, like pages that are kept. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const waitForAll =
    context.get(completeContext) || isbot(request.headers.get('user-agent') ?? '') || entry.isSpaMode
  const response = Promise.withResolvers<Response>()

  const draw = () => {
    const shell = Promise.withResolvers<void>()
    let shellReady = false
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={entry} url={request.url} nonce={nonce} />,
      {
        nonce,
        onShellReady() {
          shellReady = true
          shell.resolve()
          if (!waitForAll) respond()
        },
        onAllReady() {
          if (waitForAll) respond()
        },
        onShellError(error) {
          shell.resolve()
          response.reject(error)
        },
        onError(error) {
          // Before the shell is ready, onShellError rejects instead.
          if (shellReady) console.error(stackTraceOf(error as Error))
        },
      },
    )
    setTimeout(abort, streamTimeout + 1_000).unref()

    function respond() {
      const body = lowerScriptPriority()
      headers.set('Content-Type', 'text/html; charset=utf-8')
      // The page depends on the theme cookie and shows live figures.
      headers.set('Cache-Control', 'private, no-cache')
      headers.append('Vary', 'Cookie')
      response.resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
      pipe(body)
    }
    return shell.promise
  }
  drawing(draw).catch(response.reject)
  return response.promise
}

/** By default, React Router logs the whole error, with the parameters of a query. */
export function handleError(error: unknown, { request }: { request: Request }) {
  // Pages have no actions: a form sent before its script has loaded gets the error page.
  const isPage = /^(GET|HEAD)$/.test(request.method)
  if (isPage && !request.signal.aborted && error instanceof Error)
    console.error(`${logText(new URL(request.url).pathname)} failed: ${stackTraceOf(error)}`)
}

/** Otherwise browsers fetch scripts before pictures and the font. */
function lowerScriptPriority() {
  const link = '<link rel="modulepreload"'
  return new Transform({
    transform(chunk: Buffer, _, done) {
      // latin1 preserves every byte, even of a character split between chunks.
      const html = chunk.toString('latin1').replaceAll(link, `${link} fetchpriority="low"`)
      done(null, Buffer.from(html, 'latin1'))
    },
  })
}
