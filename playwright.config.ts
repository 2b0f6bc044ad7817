import { defineConfig } from '@playwright/test'
import { findChromium } from './test/chromium.ts'

const port = 4173

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/browser',
  workers: 1,
  // Two cores may be busy with something else; a browser that waits longer than this is stuck.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // A trace of each test would cost a quarter of the time.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: await findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    // The production build, on an empty folder.
    command: 'node bin/start.mjs',
    env: { PORT: String(port), DATA_DIR: 'test-results/data', RATE_LIMITS: 'off' },
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
})
