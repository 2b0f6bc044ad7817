import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'

const timeoutMs = 6_000

interface Metrics {
  type: string
  body: string
}

/** The metrics of all workers, which the process that started them adds up. */
export async function readWorkerMetrics(): Promise<Metrics> {
  const metricsId = randomUUID()
  const { promise, resolve } = Promise.withResolvers<Metrics | null>()
  const receive = (message: { metricsId?: string; metrics?: Metrics | null }) => {
    if (message.metricsId === metricsId) resolve(message.metrics ?? null)
  }
  const timer = setTimeout(() => resolve(null), timeoutMs)
  process.on('message', receive)
  cluster.worker!.send({ metricsId })
  const metrics = await promise
  process.off('message', receive)
  clearTimeout(timer)
  if (!metrics) throw new Error('A worker did not send its metrics.')
  return metrics
}
