import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'

const [alerts, dashboard] = ['prometheus-alerts.yml', 'grafana-dashboard.json'].map((name) =>
  readFileSync(`ops/${name}`, 'utf8'),
) as [string, string]

const functions =
  /^(absent|by|histogram_quantile|increase|le|max|min|min_over_time|rate|sum|time|up|[smhd]|__rate_interval)$/

/** The names in a PromQL expression that are neither labels nor functions. */
function metricsIn(expression: string) {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ')
  return (bare.match(/[a-z_][a-z0-9_]*/g) ?? []).filter((name) => !functions.test(name))
}

async function exposedMetrics() {
  const metrics = prometheusMetrics({ pages: [], ofProcess: true })
  metrics.countFromMemory({})
  const { body } = await metrics.text()
  return [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  )
}

test('the shop exposes every metric of the alerts and the dashboard', async () => {
  const inAlerts = [...alerts.matchAll(/expr:(.*(?:\n {10,}.*)*)/g)].map(([, text]) => text!.replace('|', ''))
  const panels: { targets?: { expr: string }[] }[] = JSON.parse(dashboard).panels
  const inDashboard = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const used = new Set([...inAlerts, ...inDashboard].flatMap(metricsIn))
  expect(used.size).toBeGreaterThan(20)
  const exposed = new Set(await exposedMetrics())
  expect([...used].filter((name) => !exposed.has(name))).toEqual([])
})

test('the proxies replace what a visitor sends as the names of log lines and traces', () => {
  const [nginx, caddy] = ['nginx.conf', 'Caddyfile'].map((name) => readFileSync(`ops/${name}`, 'utf8'))
  expect(nginx).toMatch(/^ *proxy_set_header X-Request-Id \$request_id;$/m)
  expect(nginx).toMatch(/^ *proxy_set_header traceparent "";$/m)
  expect(nginx).toMatch(/^ *proxy_set_header X-Forwarded-For \$remote_addr;$/m)
  expect(caddy).toMatch(/^\s*header_up X-Request-Id \{http\.request\.uuid\}$/m)
  expect(caddy).toMatch(/^\s*header_up -traceparent$/m)
})
