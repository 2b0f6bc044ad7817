import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StoredResponse } from './stored-response.ts'

type Rendering = Promise<StoredResponse> | null

/** Requests that wait for their turn to render an address. A client's other requests of that address wait for the first. */
export function trackRenderingStarts() {
  const byId = new Map<string, Promise<StoredResponse | null>>()
  const starts = new WeakMap<IncomingMessage, (rendering: Rendering) => void>()

  return {
    /** Null once it has ended without rendering. `id` is the client with the address. */
    find: (id: string) => byId.get(id),

    add(id: string, request: IncomingMessage, response: ServerResponse) {
      const { promise, resolve } = Promise.withResolvers<StoredResponse | null>()
      // Maybe nobody waits for it.
      promise.catch(() => {})
      const start = (rendering: Rendering) => {
        if (byId.get(id) === promise) byId.delete(id)
        resolve(rendering)
      }
      byId.set(id, promise)
      starts.set(request, start)
      response.once('close', () => start(null))
    },

    /** Later requests find it in memory. */
    start(request: IncomingMessage | undefined, rendering: Promise<StoredResponse>) {
      if (request) starts.get(request)?.(rendering)
      return rendering
    },
  }
}
