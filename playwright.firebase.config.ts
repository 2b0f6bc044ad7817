import { defineConfig } from '@playwright/test'
import npmTest from './playwright.config.ts'

const port = 4174
const results = 'test-results/firebase'

/** What bin/test-firebase.mjs runs: people are known by Firebase, for which its emulator stands. */
export default defineConfig({
  ...npmTest,
  testMatch: ['identity.e2e.ts', '*.firebase.ts'],
  outputDir: `${results}/browser`,
  reporter: [['list'], ['json', { outputFile: `${results}/browser.json` }]],
  use: { ...npmTest.use, baseURL: `http://127.0.0.1:${port}` },
  webServer: {
    ...[npmTest.webServer].flat()[0]!,
    // FIREBASE_AUTH_EMULATOR_HOST is handed on.
    env: {
      PORT: String(port),
      DATA_DIR: `${results}/data`,
      RATE_LIMITS: 'off',
      DEMO: 'on',
      FIREBASE_PROJECT_ID: 'demo-winged-wheels',
      FIREBASE_API_KEY: 'fake',
    },
    url: `http://127.0.0.1:${port}/readyz`,
  },
})
