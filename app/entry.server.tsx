import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { log } from '#telemetry/log.ts'
import { nonceContext } from './context.ts'
import { retryAfterSeconds } from './unavailable.server.ts'

export const streamTimeout = 5_000

/** One page at a time, each in its own iteration of the event loop, so that answers of the database are read between pages. */
const drawing = pLimit(1)

/** The page is complete when it is sent: no page of the server has parts that arrive later. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const page = <ServerRouter context={entry} url={request.url} nonce={context.get(nonceContext)} />
  const html = Promise.withResolvers<Buffer>()
  drawing(() => render(page, context.get(nonceContext), html)).catch(html.reject)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // The page depends on the theme cookie and shows live figures.
  headers.set('Cache-Control', 'private, no-cache')
  headers.append('Vary', 'Cookie')
  if (status === 503) headers.set('Retry-After', retryAfterSeconds)
  return new Response(lowerScriptPriority(await html.promise), { headers, status })
}

/** Returns once the next page can be drawn. */
function render(page: ReactNode, nonce: string, html: PromiseWithResolvers<Buffer>): Promise<void> {
  const shell = Promise.withResolvers<void>()
  let isShellReady = false
  const { pipe, abort } = renderToPipeableStream(page, {
    nonce,
    onShellReady() {
      isShellReady = true
      shell.resolve()
    },
    onAllReady() {
      clearTimeout(timer)
      html.resolve(buffer(pipe(new PassThrough())))
    },
    onShellError(error) {
      clearTimeout(timer)
      shell.resolve()
      html.reject(error)
    },
    onError(error) {
      // Before the shell is ready, onShellError rejects instead.
      if (isShellReady) log.error({ err: error }, 'page incomplete')
    },
  })
  const timer = setTimeout(abort, streamTimeout + 1_000).unref()
  return shell.promise
}

/** By default, React Router logs the whole error, with the parameters of a statement. */
export function handleError(error: unknown, { request }: { request: Request }) {
  // Pages have no actions: a form sent before its script has loaded gets the error page.
  const isPage = /^(GET|HEAD)$/.test(request.method)
  if (isPage && !request.signal.aborted && error instanceof Error) log.error({ err: error }, 'page failed')
}

/** Otherwise browsers fetch scripts before pictures and the font. */
function lowerScriptPriority(html: Buffer) {
  const link = '<link rel="modulepreload"'
  // latin1 preserves every byte.
  return Buffer.from(html.toString('latin1').replaceAll(link, `${link} fetchpriority="low"`), 'latin1')
}
