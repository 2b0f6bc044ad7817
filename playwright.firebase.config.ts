import { defineConfig } from '@playwright/test'
import npmTest from './playwright.config.ts'

const results = 'test-results/firebase'

export default defineConfig<object, { settings: Record<string, string> }>({
  ...npmTest,
  globalSetup: [],
  projects: [{ name: 'identity', testMatch: ['identity.e2e.ts', '*.firebase.ts'] }],
  // The tests share one emulator.
  workers: 1,
  outputDir: `${results}/browser`,
  reporter: [['list'], ['json', { outputFile: `${results}/browser.json` }]],
  use: {
    ...npmTest.use,
    settings: {
      DEMO: 'on',
      FIREBASE_PROJECT_ID: 'demo-winged-wheels',
      FIREBASE_API_KEY: 'fake',
      FIREBASE_AUTH_EMULATOR_HOST: process.env.FIREBASE_AUTH_EMULATOR_HOST ?? '',
    },
  },
})
