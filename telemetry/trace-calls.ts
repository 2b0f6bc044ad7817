import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type StartedSpan, startSpan } from './trace.ts'

interface FetchRequest {
  origin: string
  method: string
}

/** A span for each HTTP request that the shop sends, with its host but without its path, until the response starts. Returns the end. */
export function traceCalls(): () => void {
  const spans = new WeakMap<object, StartedSpan>()

  function start(request: object, method: string, host: string) {
    const attributes = { 'http.request.method': method, 'server.address': host }
    const span = startSpan(`${method} ${host}`, { kind: 'CLIENT', attributes })
    if (span) spans.set(request, span)
  }
  function end(request: object, status: number | undefined, error?: unknown) {
    spans.get(request)?.end(status ? { 'http.response.status_code': status } : {}, error)
    spans.delete(request)
  }

  const handlers = Object.entries({
    'undici:request:create': ({ request }: { request: FetchRequest }) =>
      start(request, request.method, new URL(request.origin).hostname),
    'undici:request:headers': ({
      request,
      response,
    }: {
      request: FetchRequest
      response: { statusCode: number }
    }) => end(request, response.statusCode),
    'undici:request:error': ({ request, error }: { request: FetchRequest; error: Error }) =>
      end(request, undefined, error),
    'http.client.request.created': ({ request }: { request: ClientRequest }) =>
      start(request, request.method, request.host),
    'http.client.response.finish': ({
      request,
      response,
    }: {
      request: ClientRequest
      response: IncomingMessage
    }) => end(request, response.statusCode),
    'http.client.request.error': ({ request, error }: { request: ClientRequest; error: Error }) =>
      end(request, undefined, error),
  }) as [string, (message: unknown) => void][]
  for (const [channel, handle] of handlers) subscribe(channel, handle)
  return () => {
    for (const [channel, handle] of handlers) unsubscribe(channel, handle)
  }
}
