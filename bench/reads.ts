// Public pages and calls per second, on the embedded engine and on a server, beside nginx and a bare `node:http` server with the same bytes. Needs nginx and wrk.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startPostgres } from '#test/postgres.ts'
import { emptyFolder, freePort, type RunningShop } from '#test/process.ts'
import { runDemo } from './demo.ts'
import { startNginx } from './nginx.ts'
import { median, runWrk } from './wrk.ts'

const [seconds, rounds] = [3, 3]

const server = await startPostgres({ durable: true })
const shops: [string, RunningShop][] = []
let body = Buffer.alloc(0)
/** In this process, which does nothing else meanwhile. */
const bare = createServer((_, response) => response.end(body))
const nginx = { folder: emptyFolder(), port: await freePort(), process: null as ChildProcess | null }
try {
  await once(bare.listen(0, '127.0.0.1'), 'listening')
  const DATABASE_URL = await server.createDatabase('reads')
  shops.push(['embedded', await runDemo()])
  shops.push(['Postgres', await runDemo({ DATABASE_URL, DEMO: 'on' })])
  mkdirSync(join(nginx.folder, 'html'))
  nginx.process = startNginx(
    nginx.folder,
    `keepalive_requests 1000000; sendfile on; tcp_nopush on; default_type application/json;
    server { listen 127.0.0.1:${nginx.port}; root ${nginx.folder}/html; }`,
  )
  console.log(
    '| address | nginx | bare server | p99 | embedded | p99 | Postgres | p99 |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
  )
  for (const path of ['/api/part', '/api/part/:id', '/', '/parts', '/parts/:id'])
    console.log(`| ${[path, ...(await compare(path))].join(' | ')} |`)
} finally {
  bare.close()
  bare.closeAllConnections()
  nginx.process?.kill()
  for (const [, shop] of shops) {
    shop.child.kill()
    await shop.exited
  }
  await server.stop()
}

/** Medians of rounds in which all are measured in turn, after one that does not count: V8 compiles what is called often. */
async function compare(path: string) {
  const addresses = await Promise.all(
    shops.map(async ([, { origin }]) => {
      // The parts of the two demos have different ids.
      const [first] = await (await fetch(`${origin}/api/part?limit=1`)).json()
      return origin + path.replace(':id', first._id)
    }),
  )
  body = Buffer.from(await (await fetch(addresses[0]!)).arrayBuffer())
  writeFileSync(join(nginx.folder, 'html', 'page'), body)
  const barePort = (bare.address() as AddressInfo).port
  const urls = [`http://127.0.0.1:${nginx.port}/page`, `http://127.0.0.1:${barePort}/`, ...addresses]
  const results = urls.map(() => [] as { rate: number; p99: number }[])
  for (let round = -1; round < rounds; round++)
    for (const [i, url] of urls.entries()) {
      const result = await runWrk(url, { connections: 64, seconds })
      if (round >= 0) results[i]!.push(result)
    }
  const [limit, ...measured] = results.map((runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    p99: median(runs.map(({ p99 }) => p99)),
  }))
  const ratio = (rate: number) =>
    `${Math.round(rate).toLocaleString('en-US')} (${(rate / limit!.rate).toFixed(2)} ×)`
  const cells = measured.flatMap(({ rate, p99 }) => [ratio(rate), `${p99.toFixed(1)} ms`])
  return [Math.round(limit!.rate).toLocaleString('en-US'), ...cells]
}
