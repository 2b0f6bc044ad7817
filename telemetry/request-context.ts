import { AsyncLocalStorage } from 'node:async_hooks'

/** What each log line of a request says. */
export interface RequestFields {
  requestId: string
  /** While traces are sent. */
  traceId?: string
  /** The name of the API call, or the pattern of the page's path. */
  route?: string
  /** The id of the signed-in user. */
  actorId?: string
}

const storage = new AsyncLocalStorage<RequestFields>()

export function runInRequest<T>(fields: RequestFields, work: () => T): T {
  return storage.run(fields, work)
}

/** For what the request only happened to start, such as a connection that all share. */
export function runOutsideRequest<T>(work: () => T): T {
  return storage.exit(work)
}

export function currentRequest(): RequestFields | undefined {
  return storage.getStore()
}

/** Does nothing outside of a request. */
export function describeRequest(fields: Partial<RequestFields>) {
  const current = storage.getStore()
  if (current) Object.assign(current, fields)
}
