import { defineConfig } from 'vitest/config'

const shared = { isolate: false, testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    // Two embedded databases at once would fight over two cores, and one boots in seconds.
    maxWorkers: 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'embedded',
          include: ['{api,app,bench,db,providers,server,shop,test}/**/*.test.ts'],
        },
      },
      {
        // The embedded engine runs one statement at a time and so hides races: what touches data runs on a server too.
        test: {
          ...shared,
          name: 'postgres',
          include: ['{api,db,providers,shop}/**/*.test.ts'],
          globalSetup: 'test/postgres.ts',
        },
      },
    ],
  },
})
