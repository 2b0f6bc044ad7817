import { LRUCache } from 'lru-cache'
import type { Change } from '#db/changes.ts'
import { type CachedAddress, keysOfPart } from './cached-addresses.ts'
import type { StoredResponse } from './stored-response.ts'

interface Options {
  /** Renders what an address shows now. */
  render(address: CachedAddress): Promise<StoredResponse>
  /** False while changes of other processes may be missed: then nothing is taken from memory. */
  isConnected(): boolean
  maxBytes?: number
}

interface Entry {
  response: Promise<StoredResponse>
  /** Once it is rendered. */
  ready: StoredResponse | null
  startedAt: number
  /** How long a list may show older stock. */
  maxLagMs: number
  stockVersion: number
  isRefreshing: boolean
}

/** Changes that were made outside of the shop are shown after this time. */
const maxAgeMs = 10_000
const maxLagMs = 1_000
/** A list whose stock changes all the time is rendered at most every twenty times as long as that takes: a twentieth of the processor’s time. */
const lagPerRender = 20

/**
 * Responses that are the same for everybody, rendered once for each change. Changes other than of stock, and all changes of a part's
 * own page, are visible at once: what was rendered before is forgotten, also while it is being rendered.
 */
export function createResponseCache({ render, isConnected, maxBytes = 64 * 2 ** 20 }: Options) {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes })
  let stockVersion = 0

  function begin(address: CachedAddress, last: Entry | undefined): Entry {
    const startedAt = performance.now()
    const response = orLast(render(address), last)
    return { response, ready: null, startedAt, maxLagMs, stockVersion, isRefreshing: false }
  }

  /** One request renders; the others wait for it. */
  function start(address: CachedAddress): Entry {
    const { key } = address
    const last = entries.peek(key)
    const entry = begin(address, last)
    entries.set(key, entry, { size: 1 })
    entry.response.then(
      (response) => {
        if (entries.peek(key) === entry) keep(entries, key, entry, response, last)
      },
      () => {
        if (entries.peek(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  function refresh(address: CachedAddress, current: Entry) {
    current.isRefreshing = true
    const next = begin(address, current)
    next.response.then(
      (response) => {
        if (entries.peek(address.key) === current) keep(entries, address.key, next, response, current)
      },
      () => {
        current.isRefreshing = false
      },
    )
  }

  /** The entry, unless it is too old. Refreshes it ahead of time. */
  function find(address: CachedAddress): Entry | null {
    const entry = entries.get(address.key)
    if (!entry || !isConnected()) return null
    const { ready, startedAt } = entry
    if (!ready) return entry
    const age = performance.now() - startedAt
    const isCurrent = entry.stockVersion === stockVersion || !address.showsStock
    const max = isCurrent ? maxAgeMs : entry.maxLagMs
    if (age > max) return null
    if (age > max / 2 && !entry.isRefreshing) refresh(address, entry)
    return entry
  }

  return {
    /** Null when it must be rendered first. */
    get: (address: CachedAddress): StoredResponse | null => find(address)?.ready ?? null,

    /** Null when nobody is rendering it. */
    rendering(address: CachedAddress): Promise<StoredResponse> | null {
      const entry = find(address)
      return entry && !entry.ready ? entry.response : null
    },

    /** The last one while the database is away. Rejects when rendering fails. Responses with errors are not kept. */
    load: (address: CachedAddress): Promise<StoredResponse> =>
      isConnected()
        ? (find(address) ?? start(address)).response
        : orLast(render(address), entries.peek(address.key)),

    forget(changes: Change[]) {
      stockVersion += 1
      if (changes.some(({ kind }) => kind === 'content')) return entries.clear()
      for (const { partId } of changes) {
        if (partId) for (const key of keysOfPart(partId)) entries.delete(key)
      }
    },
  }
}

/** The last one while the database is away. */
async function orLast(rendering: Promise<StoredResponse>, last: Entry | undefined) {
  const response = await rendering
  return response.isUnavailable && last?.ready ? last.ready : response
}

/** Keeps a response that is no error; otherwise the `last` one with its age. */
function keep(
  entries: LRUCache<string, Entry>,
  key: string,
  entry: Entry,
  response: StoredResponse,
  last: Entry | undefined,
) {
  // lru-cache keeps the size of a value that is set again.
  entries.delete(key)
  if (last && response === last.ready) {
    last.isRefreshing = false
    entries.set(key, last, { size: response.bytes })
  } else if (response.isOk) {
    entry.ready = response
    entry.maxLagMs = Math.min(maxLagMs, lagPerRender * (performance.now() - entry.startedAt))
    entries.set(key, entry, { size: response.bytes })
  }
}
