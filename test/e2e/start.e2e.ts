import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import {
  accessTokenOf,
  childrenOf,
  createSignedInClient,
  demoFolder,
  emptyFolder,
  freePort,
  openSession,
  type RunningShop,
} from '#test/process.ts'
import {
  betweenRequests,
  demoEnvOnPostgres,
  runCommand,
  startShop,
  stopShops,
  stopShopsAfterEach,
} from './running.ts'

stopShopsAfterEach()

type Client = Awaited<ReturnType<typeof createSignedInClient>>

const form = { address: '1 Hub Road', phoneNumber: '5550100' }

async function createStock(admin: Client, availableQuantity: number) {
  const { rows } = await admin.listParts({ body: { limit: 1 } })
  const { _id, ...part } = rows[0]!
  const body = {
    ...part,
    minQuantity: 10,
    availableQuantity,
    availableQuantityBefore: part.availableQuantity,
  }
  await admin.updatePart({ params: { partId: _id }, body })
  return _id
}

async function stockOf(client: Client, partId: string) {
  return (await client.readPart({ params: { partId } })).availableQuantity
}

test('60 concurrent orders through two processes on Postgres, with stock for 10: exactly 10 succeed', async () => {
  const env = await demoEnvOnPostgres()
  try {
    const shops = await Promise.all([startShop(env), startShop(env)])
    const customers = await Promise.all(shops.map((shop) => createSignedInClient(shop.origin, demoCustomer)))
    const partId = await createStock(await createSignedInClient(shops[0]!.origin, demoAdmin), 100)
    const orders = Array.from({ length: 60 }, (_, i) =>
      customers[i % 2]!.placePurchase({ body: { ...form, partId, quantity: 10 } }),
    )
    const outcomes = await Promise.allSettled(orders)
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10)
    // The other process reports its orders a moment later.
    await expect.poll(() => stockOf(customers[0]!, partId)).toBe(0)
    expect((await customers[0]!.listParts()).rows).toHaveLength(28)

    await checkStockAfterOrders(shops[0]!, customers[0]!)

    // The shop recovers when Postgres terminates its connections.
    const other = await createStock(await createSignedInClient(shops[0]!.origin, demoAdmin), 100_000)
    const pending = Array.from({ length: 40 }, () =>
      customers[0]!.placePurchase({ body: { ...form, partId: other, quantity: 10 } }).catch((error) => error),
    )
    await terminateConnections(env.DATABASE_URL)
    await Promise.all(pending)
    await expect.poll(async () => (await fetch(`${shops[0]!.origin}/readyz`)).status).toBe(200)
    expect(
      await customers[0]!.placePurchase({ body: { ...form, partId: other, quantity: 10 } }),
    ).toHaveProperty('_id')
  } finally {
    for (const ended of await stopShops('SIGTERM')) expect(ended).toBe(0)
  }
})

/** A part's page and call are exact after each order, although others read them all the time. */
async function checkStockAfterOrders({ origin }: RunningShop, customer: Client) {
  const admin = await createSignedInClient(origin, demoAdmin)
  const partId = await createStock(admin, 1_000)
  const pageStock = async () => {
    const html = await (await fetch(`${origin}/parts/${partId}`)).text()
    return Number(/Available Quantity<\/dt>\s*<dd[^>]*>([\d,]+)/.exec(html)![1]!.replace(',', ''))
  }
  let isDone = false
  const readers = [pageStock, () => stockOf(customer, partId)].map(async (read) => {
    while (!isDone) await read()
  })
  for (let left = 990; left >= 800; left -= 10) {
    await customer.placePurchase({ body: { ...form, partId, quantity: 10 } })
    expect(await Promise.all([pageStock(), stockOf(customer, partId)])).toEqual([left, left])
  }
  isDone = true
  await Promise.all(readers)
}

async function terminateConnections(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `)
  await client.end()
}

test('a process with another data folder on the same database exits with an error, until renew-secret', async () => {
  const env = await demoEnvOnPostgres()
  const first = await startShop(env)
  const other = { ...env, DATA_DIR: emptyFolder() }
  const refused = await startShop(other)
  expect(await refused.exited).toBe(1)
  expect(refused.output()).toContain('DATA_DIR: this database was created with another data folder.')

  const renew = () => runCommand(other, 'server/commands/renew-secret.ts', '--confirm')
  expect(await renew()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('DATABASE_URL: a shop is running on this database.'),
  })
  first.child.kill('SIGTERM')
  await first.exited
  expect(await renew()).toMatchObject({ status: 0, stderr: '' })
  const { origin } = await startShop(other)
  const customer = await createSignedInClient(origin, demoCustomer)
  expect(await customer.checkAdmin({ params: { email: demoCustomer.email } })).toEqual({ admin: false })
})

test('a live shop does not start on a demo’s database until remove-demo has emptied it', async () => {
  const { DEMO: _, ...demo } = await demoEnvOnPostgres()
  const env = {
    ...demo,
    PUBLIC_URL: 'https://shop.example',
    TRUST_PROXY: 'off',
    RATE_LIMITS: 'on',
    STRIPE_SECRET_KEY: `sk_live_${'x'.repeat(24)}`,
    STRIPE_PUBLISHABLE_KEY: `pk_live_${'x'.repeat(24)}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${'x'.repeat(24)}`,
  }
  expect(await tablesWith(env.DATABASE_URL, demoAdmin.email)).toEqual(['identity.users', 'users'])
  const refused = await startShop(env)
  expect(await refused.exited).toBe(1)
  expect(refused.output().trim().split('\n')).toEqual([expect.stringContaining('npm run remove-demo')])

  const { status, stderr } = await runCommand(env, 'server/commands/remove-demo.ts', '--confirm')
  expect([status, stderr]).toEqual([0, ''])
  for (const text of [demoAdmin.email, demoCustomer.email, 'example.com'])
    expect(await tablesWith(env.DATABASE_URL, text), text).toEqual([])
  const shop = await startShop(env)
  expect(await (await fetch(`${shop.origin}/api/part`)).json()).toEqual([])
  expect(await tablesWith(env.DATABASE_URL, demoAdmin.email)).toEqual([])
})

/** Tables of the shop that have this text anywhere in a row. */
async function tablesWith(url: string, text: string) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows: tables } = await client.query(`
    select case schemaname when 'public' then tablename else schemaname || '.' || tablename end as name
    from pg_tables where schemaname in ('public', 'identity', 'bank') order by 1
  `)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [
      `%${text}%`,
    ])
    if (rows.length > 0) found.push(name)
  }
  await client.end()
  return found
}

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'NONCE' 'strict-dynamic'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** All headers about security; the nonce is replaced by NONCE. */
async function headersAt(url: string) {
  const { headers } = await fetch(url)
  expect(headers.get('content-type'), url).toMatch(/^application\/json$|^image\/webp$|; charset=utf-8$/)
  const security =
    /^(access-control-|content-security-|cross-origin-|origin-|permissions-|referrer-|strict-|x-(?!remix-|total-|request-))/
  return Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      security.test(name) ? [[name, value.replace(/'nonce-[\w+/=]{24}'/, "'NONCE'")]] : [],
    ),
  )
}

test('every response has the security headers, and requests can neither fill the log nor forge lines in it', async () => {
  const { origin, output } = await startShop({ ...(await demoEnvOnPostgres()), LOG_LEVEL: 'warn' })
  for (const path of [
    ...['/dashboard', '/outbox', '/nothing', '/login.data', '/favicon.svg', '/healthz', '/metrics'],
    ...['/identity/token', '/payments/v1/payment_intents'],
  ])
    expect(await headersAt(origin + path), path).toEqual(pageHeaders)
  const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  for (const path of ['/api/part?limit=1', '/api/part', '/api/openapi.json', '/api/user', '/api/nothing'])
    expect(await headersAt(origin + path), path).toEqual({
      ...pageHeaders,
      'content-security-policy': policy,
    })
  // Sent from memory: inline scripts have hashes.
  for (const path of ['/', '/login', '/api/docs']) {
    const headers = await headersAt(origin + path)
    const hashed = headers['content-security-policy']!.replace(/'self'( 'sha256-[\w+/=]{44}')*/, 'SCRIPTS')
    expect({ ...headers, 'content-security-policy': hashed }, path).toEqual({
      ...pageHeaders,
      'content-security-policy': pageHeaders['content-security-policy'].replace(
        "'NONCE' 'strict-dynamic'",
        'SCRIPTS',
      ),
    })
  }
  const { image } = (await (await fetch(`${origin}/api/part?limit=1`)).json())[0]
  for (const path of [image, '/images/x.webp']) {
    expect(await headersAt(origin + path), path).toEqual({
      'content-security-policy': path === image ? `sandbox; ${policy}; style-src 'unsafe-inline'` : policy,
      'strict-transport-security': pageHeaders['strict-transport-security'],
      'x-content-type-options': 'nosniff',
    })
  }
  const before = output()
  const long = 'x'.repeat(10_000)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  for (const method of ['OPTIONS', 'POST', 'PUT', 'DELETE', 'PROPFIND'])
    for (const path of ['/login', '/login.data', '/api/part', '/'])
      expect((await fetch(`${origin}${path}`, { method })).status, `${method} ${path}`).toBeLessThan(500)
  for (const path of [`/${long}`, `/api/part/${long}`, `/%E0%A4%A${long}`])
    expect((await fetch(`${origin}${path}`)).status, path.slice(0, 20)).toBe(404)
  const sent = connect(Number(new URL(origin).port), '127.0.0.1')
  sent.end(
    'POST /api/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  await new Promise((resolve) => sent.resume().once('close', resolve))
  expect(output()).toBe(before)

  await post('/identity/sign-out', {}, { origin: `http://${long}.example`, cookie: 'a=b' })
  // Its line may come after the response.
  await expect.poll(() => output().slice(before.length)).toMatch(/\n$/)
  await post('/identity/request-password-reset', {
    email: 'a@b.example',
    redirectTo: `https://\nforged ${long}`,
  })
  const lines = output().slice(before.length).trimEnd().split('\n')
  expect(lines.length).toBeLessThan(5)
  for (const line of lines) expect(JSON.parse(line).msg).toMatch(/^identity: .{1,600}$/)
})

test('`npm start` restarts a shop that was killed, and SIGTERM or SIGKILL to npm closes the shop', async () => {
  const PORT = String(await freePort())
  const env = { ...process.env, PORT, DATA_DIR: demoFolder() }
  const startWithNpm = () => spawn('npm', ['start'], { env, stdio: 'ignore' })
  const status = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      (response) => response.status,
      () => 'closed',
    )
  const npm = startWithNpm()
  await expect.poll(status).toBe(200)
  const first = shopOnPort(PORT)
  process.kill(first!, 'SIGKILL')
  await expect.poll(() => shopOnPort(PORT) ?? first).not.toBe(first)
  await expect.poll(status).toBe(200)
  npm.kill('SIGTERM')
  await expect.poll(() => shopOnPort(PORT)).toBeUndefined()
  // A second start succeeds only if the database was closed.
  const again = startWithNpm()
  await expect.poll(status).toBe(200)
  again.kill('SIGKILL')
  await expect.poll(() => shopOnPort(PORT)).toBeUndefined()
})

/** The process id of the shop that was started with this PORT. */
function shopOnPort(port: string): number | undefined {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
    } catch {
      return []
    }
  }
  const pid = readdirSync('/proc').find(
    (name) =>
      read(name, 'cmdline').includes('server/main.ts') && read(name, 'environ').includes(`PORT=${port}`),
  )
  return pid ? Number(pid) : undefined
}

test('SIGTERM under load lets requests finish without errors and exits with 0', async () => {
  const shop = await startShop({ ...(await demoEnvOnPostgres()), DRAIN_SECONDS: '15' })
  let stopping = false
  const failures: unknown[] = []
  let answered = 0
  const clients = Array.from({ length: 5 }, async () => {
    while (!stopping) {
      await fetch(`${shop.origin}/api/part`)
        .then((response) => response.json())
        .then(() => answered++)
        .catch((error) => failures.push(error))
    }
  })
  await expect.poll(() => answered).toBeGreaterThan(20)
  shop.child.kill('SIGTERM')
  while (!stopping) stopping = (await fetch(`${shop.origin}/readyz`)).status === 503
  for (const path of ['/', '/api/part'])
    expect((await fetch(`${shop.origin}${path}`)).headers.get('connection'), path).toBe('close')
  await Promise.all(clients)
  expect(await shop.exited).toBe(0)
  expect(failures).toEqual([])
})

test('of two workers, one that is killed is replaced, and a restart of both fails no request', async () => {
  const shop = await startShop({ ...(await demoEnvOnPostgres()), WORKERS: '2', DRAIN_SECONDS: '1' })
  const { origin, child } = shop
  const workers = () => childrenOf(child.pid!)
  const [killed = 0, other = 0] = workers()
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => workers().filter((pid) => pid !== killed)).toHaveLength(2)

  const { email } = demoCustomer
  const headers = { authorization: `Bearer ${await accessTokenOf(origin, demoCustomer)}` }
  // Each on its own connection: a worker that stops may close an idle one that is about to be used.
  async function listOrders() {
    const request = get(`${origin}/api/myPurchase?email=${email}`, { agent: false, headers })
    const [response] = await once(request, 'response')
    await text(response)
    return response.statusCode
  }
  let isRestarted = false
  const responses = new Set<unknown>()
  const requests = Array.from({ length: 4 }, async () => {
    while (!isRestarted) {
      responses.add(await listOrders().catch((error) => error))
      await betweenRequests()
    }
  })
  child.kill('SIGUSR2')
  await expect.poll(() => workers().includes(other)).toBe(false)
  isRestarted = true
  await Promise.all(requests)
  expect([...responses]).toEqual([200])
  await expect.poll(workers).toHaveLength(2)
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  expect(metrics).toContain(
    'http_request_duration_seconds_count{method="GET",route="listMyPurchases",status="2xx"}',
  )
  child.kill('SIGTERM')
  expect(await shop.exited).toBe(0)
})

test('SIGHUP ends a shop in order although a client hangs, and a second SIGTERM ends it before the drain does', async () => {
  const shop = await startShop({ ...(await demoEnvOnPostgres()), DRAIN_SECONDS: '1' })
  const { hostname: host, port } = new URL(shop.origin)
  const client = connect({ host, port: Number(port) }).on('error', () => {})
  client.write('POST /api/login HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\n\r\n{')
  await fetch(shop.origin)
  shop.child.kill('SIGHUP')
  expect(await shop.exited).toBe(0)

  for (const WORKERS of ['1', '2']) {
    const { child } = await startShop({ ...(await demoEnvOnPostgres()), DRAIN_SECONDS: '60', WORKERS })
    const signalAgain = () => {
      child.kill('SIGTERM')
      return child.exitCode
    }
    await expect.poll(signalAgain).toBe(1)
  }
})

test('a second process or command on the same data folder exits with a one-line error, and the first keeps running', async () => {
  const DATA_DIR = demoFolder()
  const first = await startShop({ DATA_DIR })
  const second = await startShop({ DATA_DIR })
  expect(await second.exited).toBe(1)
  expect(second.output().trim()).toMatch(
    /^Winged Wheels cannot start\. DATA_DIR: a running shop is using .*$/,
  )
  const { status, stderr } = await grantAdmin({ DATA_DIR }, demoCustomer.email)
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR: a running shop is using .*\n$/)])
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200)
})

test('a startup error prints one line and exits with 1', async () => {
  const first = await startShop(await demoEnvOnPostgres())
  const file = join(emptyFolder(), 'file')
  writeFileSync(file, '')
  const reasons: [Record<string, string>, RegExp][] = [
    [
      // Noticed before the database is created, which prints a line.
      { PORT: new URL(first.origin).port },
      / PORT: cannot listen on .* \(EADDRINUSE\)\. .*\.$/,
    ],
    [{ HOST: '192.0.2.1', DEMO: 'on' }, /HOST: cannot listen on .* \(EADDRNOTAVAIL\)\. .*\.$/],
    [{ TMPDIR: join(file, 'below') }, /TMPDIR: cannot write to .* \(ENOTDIR\)\. .*\.$/],
    [{ PORT: 'http' }, /PORT: must be a whole number from 1 to 65535, such as 8080\.$/],
    [{ DATA_DIR: join(file, 'below') }, /DATA_DIR: cannot write to .* \(ENOTDIR\)\.$/],
    [{ DATABASE_URL: 'mysql://localhost' }, /DATABASE_URL: must be an address such as .*\.$/],
    [
      { DATABASE_URL: 'postgres://shop:secret@127.0.0.1:1/shop', DEMO: 'on' },
      /DATABASE_URL: cannot connect to the database \(ECONNREFUSED\)\. .*\.$/,
    ],
  ]
  for (const [env, reason] of reasons) {
    const shop = await startShop({ DATA_DIR: emptyFolder(), ...env })
    expect(await shop.exited).toBe(1)
    expect(shop.output().trim()).toMatch(reason)
    expect(shop.output().trim().split('\n')).toHaveLength(1)
    expect(shop.output()).not.toContain('secret')
  }
})

test('an access token stays valid after a restart', async () => {
  const env = await demoEnvOnPostgres()
  const before = await startShop(env)
  const PORT = new URL(before.origin).port
  const customer = await createSignedInClient(before.origin, demoCustomer)
  before.child.kill('SIGTERM')
  expect(await before.exited).toBe(0)
  await startShop({ ...env, PORT })
  expect(await customer.checkAdmin({ params: { email: demoCustomer.email } })).toEqual({ admin: false })
})

test('the grant-admin command makes the first admin, and an unconfirmed account only when its address is repeated', async () => {
  const env = await demoEnvOnPostgres()
  const { origin } = await startShop(env)
  const ada = { name: 'Ada', email: 'ada@example.com', password: 'wheels-1992' }
  await openSession(origin, 'sign-up', ada)
  expect(await grantAdmin(env, 'nobody@example.com')).toMatchObject({ status: 1 })
  expect(await grantAdmin(env, demoCustomer.email)).toMatchObject({ status: 0 })
  expect(await grantAdmin(env, ada.email)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^Ada \(ada@example\.com\), registered .* hasn’t confirmed this email address.*\n$/,
    ),
  })
  expect(await grantAdmin(env, ada.email, '--confirm-address', ada.email)).toMatchObject({ status: 0 })
  for (const account of [demoCustomer, ada]) {
    const client = await createSignedInClient(origin, account)
    expect(await client.checkAdmin({ params: { email: account.email } })).toEqual({ admin: true })
  }
})

function grantAdmin(settings: Record<string, string>, ...args: string[]) {
  return runCommand(settings, 'server/commands/grant-admin.ts', ...args)
}

test('a built shop runs with only the packages that are installed without those for development', async () => {
  const folder = emptyFolder()
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const installed = Object.entries(packages).filter(
    ([path, { dev }]) => path && !dev && !/\/node-(linux|win)-/.test(path) && existsSync(path),
  )
  // As the Dockerfile does.
  const copied = [
    'build',
    'bin',
    'server',
    'db/embedded/engine.ts',
    'db/embedded/engine-thread.ts',
    'package.json',
  ]
  for (const path of [...copied, ...installed.map(([path]) => path)])
    cpSync(path, join(folder, path), { recursive: true })
  const { origin, output } = await startShop({ DATA_DIR: demoFolder(), RATE_LIMITS: 'on' }, folder)
  expect(output()).toContain('is running at')
  const client = await createSignedInClient(origin, demoCustomer)
  const part = (await client.listParts({ body: {} })).rows.find(
    ({ availableQuantity, minQuantity }) => availableQuantity >= minQuantity,
  )!
  const order = await client.placePurchase({
    body: { ...form, partId: part._id, quantity: part.minQuantity },
  })
  const [document] = await client.listDocuments({ params: { id: order._id } })
  const file = await client.downloadDocument({ params: { id: order._id, document: document!.id } })
  expect(file.type).toBe('application/pdf')
  const picture = await fetch(`${origin}${part.image.replace(/\.\w+$/, '-320.avif')}`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
  expect((await fetch(`${origin}/parts`)).status).toBe(200)
})
