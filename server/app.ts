import { statfsSync } from 'node:fs'
import * as build from 'virtual:react-router/server-build'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type Next } from 'hono'
import { except } from 'hono/combine'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { api } from '#api/contract.ts'
import { docsPaths } from '#api/docs/call-groups.ts'
import { handlers } from '#api/handlers.ts'
import { createApi, requireSignature, sendErrorResponse } from '#api/server.ts'
import { brand } from '#app/brand.ts'
import { nonceContext, type ShopContext, shopContext } from '#app/context.ts'
import { withUnavailablePages } from '#app/unavailable.server.ts'
import { type OpenDatabase, openDatabase } from '#db/database.ts'
import type { ReportProgress } from '#db/migrate.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { createDownload } from '#providers/images/download.ts'
import { type MeasuredState, prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { viesRegister } from '#providers/vat/vies.ts'
import { measureBackups } from '#server/backup/files.ts'
import { openBackups } from '#server/backup/schedule.ts'
import { createMemory } from '#server/cache/memory.ts'
import { isPagePath } from '#server/cache/page-path.ts'
import { refuseDemoData } from '#server/commands/demo-data.ts'
import type { Config } from '#server/config/config.ts'
import { claimSecret, deriveKey, findSecret, pictureOwner } from '#server/config/secrets.ts'
import { backlogReader } from '#server/http/backlog.ts'
import { findClientAddress } from '#server/http/client-address.ts'
import { healthRoutes } from '#server/http/health.ts'
import { requireHost } from '#server/http/host.ts'
import { measureRequests, metricsHandler } from '#server/http/metrics.ts'
import { pageRoutes } from '#server/http/page-route.ts'
import { identifyRequests } from '#server/http/requests.ts'
import { securityHeaders } from '#server/http/security.ts'
import { serveFiles } from '#server/http/static-files.ts'
import { openTracing } from '#server/http/tracing.ts'
import { limitBodyByPath, limitPictures, readBodyFirst, takeTurns } from '#server/http/turns.ts'
import { accessChecks } from '#shop/access.server.ts'
import { startOrderNumbersAt } from '#shop/orders/place/order-counter.server.ts'
import { createOrderBatches } from '#shop/orders/place/write.server.ts'
import { handleWebhook } from '#shop/payments/webhook.server.ts'
import type { Shop } from '#shop/ports.ts'
import { claimUnconfirmed } from '#shop/users/claim.server.ts'
import { log } from '#telemetry/log.ts'
import { describeRequest } from '#telemetry/request-context.ts'
import { keepCurrency } from './currency.ts'
import { startJobs } from './jobs.ts'
import { warnAboutMissingPictures } from './missing-pictures.ts'
import { openIdentity, openImages, openMail, openPayments } from './providers.ts'
import { seedDemo } from './seed.ts'
import { openSettings } from './settings.ts'
import { shopJobs } from './shop-jobs.ts'

export { databaseFolder } from '#db/database.ts'
export { collectMetrics } from '#providers/metrics/prometheus.ts'
export { backUp } from '#server/backup/back-up.ts'
export { moveData } from '#server/backup/move-data.ts'
export { restore } from '#server/backup/restore.ts'
export { removeDemo, renewSecret, retryEmails } from '#server/commands/commands.ts'
export { grantAdmin } from '#server/commands/first-admin.ts'
export { readConfig } from '#server/config/config.ts'
export { checkMachine, listenError } from '#server/config/machine.ts'
export { findClientAddress as clientAddressOf } from '#server/http/client-address.ts'
export { connectionOptions, limitConnections } from '#server/http/connections.ts'
export { createPause } from '#server/http/pause.ts'
export { configureLog, log } from '#telemetry/log.ts'

type Env = { Bindings: HttpBindings; Variables: { secureHeadersNonce: string } }

export async function createApp(config: Config, report: ReportProgress = () => {}) {
  const stopTracing = await openTracing(config.traces)
  const database = await openCheckedDatabase(config, report)
  const { secret, db } = database
  const { settings, watchChanges } = await openSettings(database)
  const key = (purpose: string) => deriveKey(secret, purpose)
  const hex = (purpose: string) => Buffer.from(key(purpose)).toString('hex')
  const { demo, imageOrigin } = config
  const clientAddress = (c: Context): string => clientAddressIn(c, config)
  const mail = openMail(config, db, settings)
  const identity = openIdentity(config, {
    db,
    mail: mail.provider,
    secret: hex('identity'),
    clientAddress,
    claimAccount: (person) => claimUnconfirmed(shop, person),
  })
  const payments = openPayments(config, { db, secret: hex('bank'), webhook: (request) => app.fetch(request) })
  const images = await openImages(config, pictureOwner(secret))
  const metrics = prometheusMetrics({ pages: Object.keys(build.routes), ofProcess: true })
  const shop: Shop = {
    db,
    download: createDownload(),
    metrics,
    secret: key('tokens'),
    identity: identity.provider,
    payments: payments.provider,
    images: images.provider,
    mail: mail.provider,
    vatRegister: config.viesUrl ? viesRegister(config.viesUrl) : null,
    orderBatches: createOrderBatches(db),
    settling: new Map(),
    ...shopSettings(config),
    settings,
  }
  if (demo) await seedDemo(shop, identity.register, report)
  else warnAboutSettings(config)
  void warnAboutMissingPictures(db, images.provider)
  const showPage = pageHandler({
    shop,
    reader: { ...shop, db: database.reader },
    demo,
    identity: identity.provider.settings,
    accounts: demo && identity.register ? [demoCustomer, demoAdmin] : [],
    outbox: demo ? mail.outbox : null,
  })
  const state = { closing: false }
  const app = new Hono<Env>()
  const memory = await createMemory(app, {
    origin: shop.origin,
    clientAddressOf: clientAddress,
    state,
    metrics,
    watchChanges,
  })
  app.use(identifyRequests(config.trustProxy))
  app.use(requireHost)
  app.use(measureRequests(metrics, api))
  app.use(connectionHeaders(state))
  app.use(memory.middleware)
  app.use('/images/*', limitPictures(clientAddress))
  // Before these headers: pictures have their own headers.
  app.route('/', images.routes)
  const secure = securityHeaders(identity.provider.settings, payments.provider.settings, imageOrigin)
  app.use(except('/api/*', secure.page)).use('/api/*', secure.api)
  app.use('/payments/webhook', requireSignature)
  // Pages take theirs where they are handled, because files from memory need none.
  const inTurn = takeTurns(clientAddress)
  for (const path of ['/api/*', '/identity/*', '/payments/*'])
    app.use(path, limitBodyByPath, readBodyFirst, inTurn)
  app.onError(sendErrorResponse)
  // The only pages below /api, with their data requests.
  app.on(
    'GET',
    docsPaths.flatMap((path) => [path, `${path}.data`]),
    secure.page,
    compress(),
    showPage,
  )
  // Before the other routes: its NUL check applies to all of them but pages.
  app.route('/', createApi(api, handlers(shop), { access: accessChecks(shop), limits: shop, clientAddress }))
  app.route('/', healthRoutes(state, database.checkReady, payments.provider))
  app.get('/metrics', metricsHandler(metrics, config, readState(config, database)))
  app.route('/', webhookRoute(shop))
  for (const { routes } of [identity, payments]) app.route('/', routes)
  app.get('*', serveFiles('build/client'))
  app.options('*', (c) => c.body(null, 204, { Allow: 'GET, HEAD' }))
  app.all('*', inTurn, compress(), showPage)

  const backups = await openBackups(config, database.copyFiles)
  const jobs = { ...shopJobs(shop), ...backups.jobs, ...identity.jobs, ...mail.jobs, ...payments.jobs }
  const stopJobs = await startJobs(database.queue, jobs, config.jobInterval, metrics.jobs)

  return {
    fetch: app.fetch,
    memory,
    /** Makes `/readyz` return 503, so that load balancers stop sending requests. */
    drain: () => {
      state.closing = true
    },
    async close() {
      await Promise.all([stopJobs(), backups.close(), mail.close(), payments.close()])
      await database.close()
      await stopTracing()
    },
  }
}

function shopSettings({ origins, rateLimits, timeZone, holdHours, holdLimits, imageOrigin }: Config) {
  return {
    origin: origins[0],
    rateLimits,
    timeZone,
    holdHours,
    holdLimits,
    imageOrigin,
    partNumberPrefix: brand.partNumberPrefix,
    firstInvoiceNumber: brand.invoices.firstNumber,
  }
}

function connectionHeaders(state: { closing: boolean }) {
  return async (c: Context, next: Next) => {
    await next()
    // `c.header` would copy the response first.
    const { headers } = c.res
    // Also for pictures; browsers ignore it over http.
    headers.set('Strict-Transport-Security', `max-age=${365 * 86_400}; includeSubDomains`)
    if (state.closing) headers.set('Connection', 'close')
  }
}

function webhookRoute(shop: Shop) {
  return new Hono().post('/payments/webhook', async (c) => {
    await handleWebhook(shop, await c.req.text(), c.req.header('stripe-signature') ?? '')
    return c.json({ received: true })
  })
}

function pageHandler(pageContext: ShopContext) {
  const pages = createRequestHandler(withUnavailablePages(build))
  const findRoute = pageRoutes(build.routes)
  return async (c: Context<Env>) => {
    const context = new RouterContextProvider()
    context.set(shopContext, pageContext)
    context.set(nonceContext, c.get('secureHeadersNonce'))
    const request = pageRequest(c.req.raw, c.req.path)
    describeRequest({ route: findRoute(new URL(request.url).pathname) })
    const response = await pages(request, context)
    // React Router sends the data of a page without a charset.
    if (response.headers.get('content-type') === 'text/x-script')
      response.headers.set('Content-Type', 'text/x-script; charset=utf-8')
    return response
  }
}

/** Postgres cannot read NUL characters in a query. */
function pageRequest(request: Request, path: string) {
  if (!isPagePath(path) || path.includes('\0'))
    return new Request(new URL('/not-found', request.url), request)
  return request.url.includes('%00') ? new Request(request.url.replaceAll('%00', ''), request) : request
}

function clientAddressIn(c: Context, { trustProxy }: Config) {
  const { remoteAddress } = c.env?.incoming?.socket ?? {}
  return findClientAddress(trustProxy, remoteAddress, c.req.header('x-forwarded-for'))
}

function readState({ dataDir, backups }: Config, { db, connections }: OpenDatabase): MeasuredState {
  const disk = () => {
    const { bavail, blocks, bsize } = statfsSync(dataDir)
    return { free: bavail * bsize, size: blocks * bsize }
  }
  return { backlog: backlogReader(db), connections, disk, backups: () => measureBackups(backups) }
}

/** Throws StartupError for another shop's database or currency, and for demo data in a live one. */
async function openCheckedDatabase(config: Config, report: ReportProgress) {
  // A data folder that cannot be used is reported first.
  findSecret(config.dataDir)
  const database = await openDatabase(config.database, report)
  try {
    const secret = await claimSecret(database.db, config.dataDir)
    if (!config.demo) await refuseDemoData(database.db)
    await keepCurrency(database.db, config.currency)
    await startOrderNumbersAt(database.db, brand.orders.firstNumber)
    return { ...database, secret }
  } catch (error) {
    await database.close()
    throw error
  }
}

function warnAboutSettings({ mail, payments }: Config) {
  if (mail.kind === 'embedded') log.warn('SMTP_URL is not set: emails are stored but not sent.')
  if (payments.kind === 'stripe' && !payments.secretKey.includes('_live_'))
    log.warn('STRIPE_SECRET_KEY is a test key: only test cards work, and no money moves.')
}
