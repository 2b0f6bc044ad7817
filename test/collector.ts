import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
}

/** Returns the origin of a server that responds with `{}`. */
export async function listen(respond: (request: IncomingMessage) => Promise<unknown>) {
  const server = createServer((request, response) => {
    respond(request).then(() => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Collects the spans that are exported to it. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const paths = new Set<string | undefined>()
  const origin = await listen(async (request) => {
    paths.add(request.url)
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[]
    }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
  })
  return { origin, spans, paths }
}
