import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { MarkupContext } from '#app/catalogue/part-cards.tsx'
import { log } from '#telemetry/log.ts'
import { nonceContext } from './context.ts'
import { createMarkup } from './markup.server.ts'
import { createRenderedPages, type Rendered } from './rendered-pages.server.ts'
import { retryAfterSeconds } from './unavailable.server.ts'

export const streamTimeout = 5_000

const renderedPage = createRenderedPages()
const renderMarkup = createMarkup()

/** The page is complete when it is sent: no page of the server has parts that arrive later. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { loaderData, errors } = entry.staticHandlerContext
  const data = status === 200 && !errors ? [request.url, loaderData] : null
  const html = await renderedPage(data, context.get(nonceContext), (nonce, page) =>
    render(
      <MarkupContext value={renderMarkup}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </MarkupContext>,
      nonce,
      page,
    ),
  )
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // The page depends on the theme cookie and shows live figures.
  headers.set('Cache-Control', 'private, no-cache')
  headers.append('Vary', 'Cookie')
  if (status === 503) headers.set('Retry-After', retryAfterSeconds)
  return new Response(html, { headers, status })
}

/** Returns once the next page can be rendered. */
function render(node: ReactNode, nonce: string, page: PromiseWithResolvers<Rendered>): Promise<void> {
  const shell = Promise.withResolvers<void>()
  let isShellReady = false
  let isComplete = true
  const { pipe, abort } = renderToPipeableStream(node, {
    nonce,
    onShellReady() {
      isShellReady = true
      shell.resolve()
    },
    onAllReady() {
      clearTimeout(timer)
      const html = buffer(pipe(new PassThrough()))
      page.resolve(html.then((html) => ({ html: lowerScriptPriority(html), isComplete })))
    },
    onShellError(error) {
      clearTimeout(timer)
      shell.resolve()
      page.reject(error)
    },
    onError(error) {
      isComplete = false
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
