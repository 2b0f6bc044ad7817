import cluster from 'node:cluster'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { type Contract, toPath } from '#api/call.ts'
import type { MeasuredState, prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { isRendering } from '#server/cache/rendering.ts'
import type { Config } from '#server/config/config.ts'
import { readWorkerMetrics } from '#server/worker-metrics.ts'
import { currentRequest, describeRequest } from '#telemetry/request-context.ts'

type Metrics = ReturnType<typeof prometheusMetrics>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const routeKinds = new Map(
  Object.entries({
    api: 'api',
    identity: 'identity',
    payments: 'payments',
    images: 'image',
    assets: 'asset',
    healthz: 'health',
    readyz: 'health',
    metrics: 'metrics',
  }),
)

export function measureRequests(metrics: Metrics, contract: Contract): MiddlewareHandler {
  const calls = new Map(
    Object.entries(contract).map(([name, call]) => [`${call.method} ${toPath(call)}`, name]),
  )
  return async (c, next) => {
    const start = performance.now()
    await next()
    if (isRendering(c)) return
    const method = methods.has(c.req.method) ? c.req.method : 'other'
    const route = calls.get(`${method} ${routePath(c)}`) ?? findKind(c.req.path)
    const status = `${Math.floor(c.res.status / 100)}xx`
    if (!currentRequest()?.route) describeRequest({ route })
    metrics.request({ method, route, status }, (performance.now() - start) / 1000)
  }
}

function findKind(path: string) {
  const kind = routeKinds.get(path.split('/')[1]!)
  if (kind && !/^\/api\/docs(\/[a-z-]+)?(\.data)?$/.test(path)) return kind
  // React Router loads page data from the page's path plus .data.
  return /\.\w+$/.test(path) && !path.endsWith('.data') ? 'file' : 'page'
}

/**
 * Requires the token; without a configured token and PUBLIC_URL, allows local requests only. Otherwise falls through to 404.
 * Metrics are of this process and the other workers of this machine: behind a load balancer, scrape each machine.
 */
export function metricsHandler(
  metrics: Metrics,
  { metricsToken: token, hasPublicUrl }: MetricsAccess,
  state?: MeasuredState,
): MiddlewareHandler {
  if (cluster.isWorker && state) metrics.share(state)
  return async (c, next) => {
    const allowed = token ? hasToken(c, token) : !hasPublicUrl && isLocal(c)
    if (!allowed) return next()
    const { type, body } = await (cluster.isWorker ? readWorkerMetrics() : metrics.text(state))
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  }
}

type MetricsAccess = Pick<Config, 'metricsToken' | 'hasPublicUrl'>

const loopback = /^(127\.[\d.]+|::1|::ffff:127\.[\d.]+|localhost|\[::1\])$/
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** False for requests that a local proxy forwards. */
function isLocal(c: Context) {
  return (
    loopback.test(c.env?.incoming?.socket.remoteAddress ?? '') &&
    loopback.test(new URL(c.req.url).hostname) &&
    !forwardingHeaders.some((name) => c.req.header(name) !== undefined)
  )
}

function hasToken(c: Context, token: string) {
  const [, sent] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token))
}
