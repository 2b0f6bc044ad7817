import { defineConfig } from '@playwright/test'
import { findChromium } from './test/chromium.ts'
import { engines, missingEngines } from './test/e2e/engines/engines.ts'

const processes = /\/(backup|image-hosts|settle|start|stripe)\.e2e\.ts$/
const pictures = /@pictures/
const otherEngines = /\/engines\/[^/]+\.e2e\.ts$/

if (!process.env.ONLY_JOURNEYS && process.env.TEST_WORKER_INDEX === undefined)
  for (const name of missingEngines)
    console.log(`${name} is not on this machine, so nothing is tested in it.`)

const launchOptions = {
  executablePath: await findChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-sync',
  ],
}
/** Decoding and drawing pictures would cost a quarter of Chromium's CPU time. */
const withoutPictures = [...launchOptions.args, '--blink-settings=imagesEnabled=false']

const otherBrowsers = engines.length > 0 ? [{ name: 'engines', testMatch: otherEngines, workers: 1 }] : []
const chromiumProjects = [
  // Tests that start and stop shops mostly wait, so they run beside the rest.
  { name: 'processes', testMatch: processes, workers: 1 },
  { name: 'pictures', testMatch: '*.e2e.ts', testIgnore: otherEngines, grep: pictures, workers: 1 },
  {
    name: 'browser',
    testMatch: '*.e2e.ts',
    testIgnore: [processes, otherEngines],
    grepInvert: pictures,
    workers: 2,
    use: { launchOptions: { ...launchOptions, args: withoutPictures } },
  },
]

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  workers: 3,
  fullyParallel: true,
  projects: process.env.ENGINES === 'only' ? otherBrowsers : [...otherBrowsers, ...chromiumProjects],
  // Generous, for busy machines with two cores.
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    // Drawing animations would cost a seventh of the renderers' CPU time.
    reducedMotion: 'reduce',
    // Traces would cost a quarter of the time.
    screenshot: 'only-on-failure',
    launchOptions,
  },
})
