import { defineConfig } from 'vitest/config'

const shared = {
  isolate: false,
  // Generous, for busy machines with two cores.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 250_000 } },
  setupFiles: 'test/setup.ts',
}

/** What costs much and holds no rule about money, stock or authority: only `npm run test:all` runs it. */
const thorough = [
  'api/upload-failures.test.ts',
  'db/{folder-copy,migrate,open,replica,running-shops}.test.ts',
  'providers/images/*.test.ts',
  'providers/mail/smtp.test.ts',
  'server/{backlog,workers}.test.ts',
  'server/backup/*.test.ts',
  'shop/exports/spreadsheets.test.ts',
  'shop/overview/overview.server.test.ts',
  'shop/parts/{generated,many}-names.server.test.ts',
  'shop/pictures/pictures.server.test.ts',
  'test/{commands,start}.test.ts',
]

/** Tests that also run on the embedded engine, which executes one statement at a time. */
const onBothEngines = [
  'api/contract.test.ts',
  'db/changes.test.ts',
  'db/database.test.ts',
  'server/jobs.test.ts',
  // Costly there.
  ...(process.env.SOAK_RUNS ? ['shop/orders/place/contention.server.test.ts'] : []),
  ...(process.env.NAMES ? ['shop/parts/many-names.server.test.ts'] : []),
  'shop/charges/{orders,tax-service,tax-status}.server.test.ts',
  'shop/orders/interleavings.server.test.ts',
  'shop/orders/read/orders.server.test.ts',
  'shop/parts/{names,part-names,generated-names}.server.test.ts',
  'shop/parts/search.server.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['{api,app,bank,bench,db,providers,server,shop,telemetry,test}/**/*.test.ts'],
          exclude: thorough,
          globalSetup: 'test/postgres.ts',
        },
      },
      { test: { ...shared, name: 'thorough', include: thorough, globalSetup: 'test/postgres.ts' } },
      { test: { ...shared, name: 'embedded', include: onBothEngines, globalSetup: 'test/embedded.ts' } },
    ],
  },
})
