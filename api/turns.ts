import pLimit, { type LimitFunction } from 'p-limit'

/** `late` tells whether the work had to wait. */
type TakeTurn = <T>(key: string, work: (start: { late: boolean }) => Promise<T>) => Promise<T>

/** Does at most `max` pieces of work of a key at a time, and the others in turn. */
export function createTurns(max: number): TakeTurn {
  const queues = new Map<string, LimitFunction>()
  return async (key, work) => {
    const queue = queues.get(key) ?? pLimit(max)
    queues.set(key, queue)
    const late = queue.activeCount >= max
    try {
      return await queue(() => work({ late }))
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(key)
    }
  }
}
