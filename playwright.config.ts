import { defineConfig } from '@playwright/test'
import { findChromium } from './test/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  // Each has a shop of its own: test/e2e/shop.ts starts it.
  workers: 2,
  fullyParallel: true,
  // Two cores may be busy with something else. Where all is well, nothing takes so long.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
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
