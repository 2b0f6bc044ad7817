import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { type Contract, urlOf } from '#api/call.ts'
import type { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import type { Config } from './config.ts'

type Figures = ReturnType<typeof prometheusMetrics>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What stands first in an address that is neither a page nor a call. */
const places = new Map(
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

/** Measures every request until its answer begins, by the name of the call or the kind of thing asked for. */
export function measure(figures: Figures, contract: Contract): MiddlewareHandler {
  const calls = new Map(
    Object.entries(contract).map(([name, call]) => [`${call.method} ${urlOf(call)}`, name]),
  )
  return async (c, next) => {
    const begun = performance.now()
    await next()
    const method = methods.has(c.req.method) ? c.req.method : 'other'
    const route = calls.get(`${method} ${routePath(c)}`) ?? kindOf(c.req.path)
    const status = `${Math.floor(c.res.status / 100)}xx`
    figures.request({ method, route, status }, (performance.now() - begun) / 1000)
  }
}

function kindOf(path: string) {
  const place = places.get(path.split('/')[1]!)
  if (place && !/^\/api\/docs(\.data)?$/.test(path)) return place
  // A page's data comes from its address with .data at the end.
  return /\.\w+$/.test(path) && !path.endsWith('.data') ? 'file' : 'page'
}

/**
 * Answers the figures to whoever shows the token. Without one, and as long as the shop has no public address, also to a
 * program on this machine; to anybody else nothing at all. Each process has its own: behind a load balancer, ask each.
 */
export function showMetrics(
  figures: Figures,
  { metricsToken: token, published }: MetricsAccess,
): MiddlewareHandler {
  return async (c, next) => {
    const allowed = token ? carries(c, token) : !published && isLocal(c)
    if (!allowed) return next()
    const { type, body } = await figures.text()
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  }
}

type MetricsAccess = Pick<Config, 'metricsToken' | 'published'>

const loopback = /^(127\.[\d.]+|::1|::ffff:127\.[\d.]+|localhost|\[::1\])$/
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** Whether it was asked here, of this machine by name; a proxy on this machine speaks for people elsewhere. */
function isLocal(c: Context) {
  return (
    loopback.test(c.env?.incoming?.socket.remoteAddress ?? '') &&
    loopback.test(new URL(c.req.url).hostname) &&
    !forwarding.some((name) => c.req.header(name) !== undefined)
  )
}

/** Compared in constant time, so that nobody can guess it letter by letter. */
function carries(c: Context, token: string) {
  const [, given] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}
