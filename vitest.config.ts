import { defineConfig } from 'vitest/config'

const shared = {
  isolate: false,
  // Generous, for busy machines with two cores.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 250_000 } },
  setupFiles: 'test/setup.ts',
}

/** Tests that also run on the embedded engine, which executes one statement at a time. */
const onBothEngines = [
  'api/contract.test.ts',
  'db/changes.test.ts',
  'db/database.test.ts',
  'server/jobs.test.ts',
  // Costly there.
  ...(process.env.SOAK_RUNS ? ['shop/orders/contention.server.test.ts'] : []),
  'shop/orders/interleavings.server.test.ts',
  'shop/orders/orders.server.test.ts',
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
          include: ['{api,app,bench,db,providers,server,shop,telemetry,test}/**/*.test.ts'],
          globalSetup: 'test/postgres.ts',
        },
      },
      { test: { ...shared, name: 'embedded', include: onBothEngines, globalSetup: 'test/embedded.ts' } },
    ],
  },
})
