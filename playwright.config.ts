import { defineConfig } from '@playwright/test'
import { findChromium } from './test/chromium.ts'

const processes = /\/(hosts|settle|start|stripe)\.e2e\.ts$/

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  workers: 3,
  fullyParallel: true,
  projects: [
    // Shops that start, stop and die take their time but little of the machine's: they run beside the rest.
    { name: 'processes', testMatch: processes, workers: 1 },
    // Each worker has a shop of its own: test/e2e/shop.ts starts it.
    { name: 'journeys', testMatch: '*.e2e.ts', testIgnore: processes, workers: 2 },
  ],
  // Two cores may be busy with something else. Where all is well, nothing takes so long.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
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
})
