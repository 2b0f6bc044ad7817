import { availableParallelism } from 'node:os'
import { ShopError } from '#shop/errors.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'

interface Waiter {
  start: () => void
  refuse: (error: ShopError) => void
}
type WaitingByNetwork = Map<string, Waiter[]>

// One core stays free for other requests. Few at once, since each counts as an attempt until its password is verified.
const concurrency = Math.min(4, Math.max(1, availableParallelism() - 1))
let running = 0

/** In the order of their turns. One client can have many networks, but few wider ones. */
const waitingByWiderNetwork = new Map<string, WaitingByNetwork>()
let waitingCount = 0

const maxQueued = 300
const maxPerNetwork = 100
const queuedByNetwork = new Map<string, number>()

/** Throws 'unavailable' when the queue would refuse a request of this network, before that costs any queries. */
export function checkHashQueue(network: string) {
  const isFull = waitingCount >= maxQueued && networkToRefuse(network) === network
  if (isFull || (queuedByNetwork.get(network) ?? 0) >= maxPerNetwork) throw queueFullError()
}

/**
 * Queues hashing, since concurrent sign-ins would otherwise delay every other request at the database. Throws 'unavailable'
 * above 100 queued per network, or above 300 for the newest of the wider network that has most.
 */
export async function inHashQueue<T>(network: string, work: () => Promise<T>): Promise<T> {
  checkHashQueue(network)
  queuedByNetwork.set(network, (queuedByNetwork.get(network) ?? 0) + 1)
  try {
    await waitForTurn(network)
    return await work().finally(startNext)
  } finally {
    const remaining = queuedByNetwork.get(network)! - 1
    if (remaining > 0) queuedByNetwork.set(network, remaining)
    else queuedByNetwork.delete(network)
  }
}

function waitForTurn(network: string): Promise<void> | undefined {
  if (running < concurrency) {
    running += 1
    return
  }
  if (waitingCount >= maxQueued) removeNewest(networkToRefuse(network)).refuse(queueFullError())
  return new Promise((start, refuse) => {
    const wider = queueGroup(network)
    const networks: WaitingByNetwork = waitingByWiderNetwork.get(wider) ?? new Map()
    networks.set(network, [...(networks.get(network) ?? []), { start, refuse }])
    waitingByWiderNetwork.set(wider, networks)
    waitingCount += 1
  })
}

/** Hands the place of the one that is done to the next wider network, and there to the next network. */
function startNext() {
  const [next] = waitingByWiderNetwork
  if (!next) {
    running -= 1
    return
  }
  const [wider, networks] = next
  const [[network, [first, ...others]]] = networks as unknown as [[string, [Waiter, ...Waiter[]]]]
  networks.delete(network)
  waitingByWiderNetwork.delete(wider)
  if (others.length > 0) networks.set(network, others)
  if (networks.size > 0) waitingByWiderNetwork.set(wider, networks)
  waitingCount -= 1
  first.start()
}

function removeNewest(network: string): Waiter {
  const wider = queueGroup(network)
  const networks = waitingByWiderNetwork.get(wider)!
  const newest = networks.get(network)!.pop()!
  if (networks.get(network)!.length === 0) networks.delete(network)
  if (networks.size === 0) waitingByWiderNetwork.delete(wider)
  waitingCount -= 1
  return newest
}

/** That with most in the wider network with most, where the newcomer counts. */
function networkToRefuse(newcomer: string): string {
  const own = queueGroup(newcomer)
  const wider = findLargest(waitingByWiderNetwork, countWaiting, own)
  const networks: WaitingByNetwork = waitingByWiderNetwork.get(wider) ?? new Map()
  return findLargest(networks, ({ length }) => length, wider === own ? newcomer : null)
}

/** Among equals the newcomer's, else the last in turn. */
function findLargest<T>(groups: Map<string, T>, sizeOf: (group: T) => number, newcomer: string | null) {
  const sizes = new Map(newcomer === null ? [] : [[newcomer, 1]])
  for (const [key, group] of groups) sizes.set(key, (sizes.get(key) ?? 0) + sizeOf(group))
  const max = Math.max(...sizes.values())
  if (newcomer !== null && sizes.get(newcomer) === max) return newcomer
  return [...sizes.keys()].findLast((key) => sizes.get(key) === max)!
}

function countWaiting(networks: WaitingByNetwork) {
  return [...networks.values()].reduce((sum, { length }) => sum + length, 0)
}

function queueGroup(network: string): string {
  return widerNetwork(network) ?? network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}

function queueFullError() {
  const message = 'Many people are signing in right now. Try again in a few seconds.'
  return new ShopError('unavailable', message, { retryAfter: 10 })
}
