import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { ConnectionCounts } from '#db/driver/pool.ts'
import type { Metrics } from '#shop/ports.ts'
import type { VitalName } from '#shop/vitals/vitals.ts'
import { type Backlog, type Backups, eventCounters, jobMetrics, stateGauges } from './shop-metrics.ts'

const loadBuckets = [100, 250, 500, 800, 1_200, 1_800, 2_500, 3_000, 4_000, 6_000, 10_000, 20_000]

/** Bucket bounds include the thresholds of web-vitals. */
// biome-ignore format: a table
const definitions: Record<VitalName, { name: string; help: string; buckets: number[] }> = {
  TTFB: { name: 'web_vital_ttfb_seconds', help: 'Time to first byte',         buckets: loadBuckets },
  FCP:  { name: 'web_vital_fcp_seconds',  help: 'First contentful paint',     buckets: loadBuckets },
  LCP:  { name: 'web_vital_lcp_seconds',  help: 'Largest contentful paint',   buckets: loadBuckets },
  INP:  { name: 'web_vital_inp_seconds',  help: 'Interaction to next paint',  buckets: [25, 50, 100, 150, 200, 300, 500, 1_000, 2_500, 5_000] },
  CLS:  { name: 'web_vital_cls',          help: 'Cumulative layout shift',    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1] },
}

interface Options {
  /** Route ids; others count as `other`, so that clients cannot add labels. */
  pages: readonly string[]
  ofProcess?: boolean
}

export interface MeasuredState {
  backlog(): Promise<Backlog | null>
  connections(): ConnectionCounts
  disk(): { free: number; size: number }
  /** Null when none are scheduled. */
  backups(): Promise<Backups | null>
}

/** Kept per process: Prometheus sums them. */
export function prometheusMetrics({ pages, ofProcess = false }: Options) {
  const register = new Registry()
  const registers = [register]
  if (ofProcess) collectDefaultMetrics({ register })

  const known = new Set(pages)
  const vitals = Object.fromEntries(
    Object.entries(definitions).map(([name, { buckets, ...options }]) => {
      const scaled = buckets.map((bound) => bound / findUnit(name))
      return [name, new Histogram({ ...options, buckets: scaled, labelNames: ['page'], registers })]
    }),
  ) as Record<VitalName, Histogram<'page'>>
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response started, by route',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    labelNames: ['method', 'route', 'status'],
    registers,
  })

  const { setBacklog, setBackups, setConnections, setDisk } = stateGauges(registers)

  async function measure({ connections, disk, backups, backlog }: MeasuredState) {
    setConnections(connections())
    setDisk(disk())
    const found = await backups()
    if (found) setBackups(found)
    setBacklog(await backlog())
  }

  return {
    count: eventCounters(registers),
    jobs: jobMetrics(registers),
    vital(page, name, value) {
      vitals[name].observe({ page: known.has(page) ? page : 'other' }, value / findUnit(name))
    },
    /** `route` and `method` must come from a fixed set. */
    request(labels: { method: string; route: string; status: string }, seconds: number) {
      requests.observe(labels, seconds)
    },
    /** Requests that were served from memory so far, by route; `http_request_duration_seconds` leaves them out. */
    countFromMemory(hits: Record<string, number>) {
      const name = 'http_requests_from_memory_total'
      new Counter({
        name,
        help: 'Requests served from memory, by route',
        labelNames: ['route'],
        registers,
        collect() {
          this.reset()
          for (const [route, count] of Object.entries(hits)) this.inc({ route }, count)
        },
      })
    },
    /** With the `state` of now, unless there is none. */
    async text(state?: MeasuredState) {
      if (state) await measure(state)
      return { type: register.contentType, body: await register.metrics() }
    },
    /** Lets the process that started this worker collect them. */
    share(state: MeasuredState) {
      const shared: Registry = Object.create(register)
      shared.getMetricsAsJSON = async () => {
        await measure(state)
        return register.getMetricsAsJSON()
      }
      AggregatorRegistry.setRegistries(shared)
      new AggregatorRegistry()
    },
  } satisfies Metrics & Record<string, unknown>
}

/** The sum over the workers that this process has started. */
export async function collectMetrics() {
  const registry = new AggregatorRegistry()
  return { type: registry.contentType, body: await registry.clusterMetrics() }
}

/** web-vitals reports milliseconds, Prometheus expects seconds; CLS has no unit. */
function findUnit(name: string) {
  return name === 'CLS' ? 1 : 1000
}
