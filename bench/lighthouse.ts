// Lighthouse scores of the public pages (production build, slow phone), and when a browser with such a connection and processor paints
// them: Lighthouse loads a page at full speed and estimates. npm fetches Lighthouse (170 MB) on demand.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium as browsers } from '@playwright/test'
import { findChromium } from '#test/chromium.ts'
import { emptyFolder, runShop } from '#test/process.ts'
import { median } from './wrk.ts'

const version = '13.5.0'
const goals = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const measures = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'total-blocking-time': 'TBT',
  'cumulative-layout-shift': 'CLS',
}

const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
const bytesOf = (megabits: number) => (megabits * 1024 * 1024) / 8
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: bytesOf(1.6),
  uploadThroughput: bytesOf(0.75),
}

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { displayValue?: string }>
}

const chromium = await findChromium()
const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-lighthouse-'))
const shop = await runShop({ DATA_DIR: emptyFolder() }, [])
try {
  const [part] = await (await fetch(`${shop.origin}/api/part?limit=1`)).json()
  const rows = []
  const paths = ['/', '/parts', `/parts/${part._id}`, '/blogs']
  for (const path of paths) rows.push(await measure(path))
  console.table(rows)
  console.table(await paintTimes(paths))

  const failures = rows.flatMap((row) =>
    Object.entries(goals)
      .filter(([name, goal]) => Number(row[name]) < goal)
      .map(([name, goal]) => `${row.page}: ${name} is ${row[name]}, not ${goal}`),
  )
  for (const line of failures) console.error(line)
  process.exitCode = failures.length > 0 ? 1 : 0
} finally {
  shop.child.kill()
  await shop.exited
}

/** The median of three runs: a single run varies too much. */
async function measure(path: string): Promise<Record<string, string | number>> {
  await warmUp(shop.origin + path)
  const runs: Report[] = []
  // Chromium occasionally loses the trace of a run.
  const run = () => lighthouse(shop.origin + path)
  while (runs.length < 3) runs.push(await run().catch(run))
  const score = (report: Report, name: string) => Math.round((report.categories[name]?.score ?? 0) * 100)
  runs.sort((a, b) => score(a, 'performance') - score(b, 'performance'))
  const report = runs[1]!

  const scores = Object.keys(goals).map((name) => [name, score(report, name)])
  const figures = Object.entries(measures).map(([id, name]) => [name, report.audits[id]?.displayValue ?? ''])
  return { page: path, ...Object.fromEntries([...scores, ...figures]) }
}

/** Milliseconds until the largest element is painted, with the bandwidth, latency and processor that Lighthouse assumes. */
async function paintTimes(paths: string[]) {
  const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  const rows: { page: string; LCP: number }[] = []
  for (const path of paths) {
    const times: number[] = []
    for (let run = 0; run < 3; run++) {
      const context = await browser.newContext(phone)
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slowNetwork)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await page.goto(shop.origin + path, { waitUntil: 'networkidle' })
      times.push(await page.evaluate(largestPaint))
      await context.close()
    }
    rows.push({ page: path, LCP: Math.round(median(times)) })
  }
  await browser.close()
  return rows
}

/** Runs in the page. */
function largestPaint() {
  return new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime))
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

async function lighthouse(url: string): Promise<Report> {
  const report = join(folder, 'report.json')
  const flags = '--headless=new --no-sandbox --disable-gpu'
  await promisify(execFile)(
    'npm',
    [
      ...['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', url, '--quiet'],
      ...['--output=json', `--output-path=${report}`, `--chrome-flags=${flags}`],
    ],
    // PATH: the Node that runs this file, not the first one that npm finds.
    {
      env: {
        ...process.env,
        CHROME_PATH: chromium,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      },
    },
  )
  return JSON.parse(readFileSync(report, 'utf8'))
}

/** Creates the picture variants, which the shop does on first request. */
async function warmUp(url: string) {
  const page = await (await fetch(url)).text()
  for (const [picture] of page.matchAll(/\/images\/[\w-]+\.\w+/g))
    await (await fetch(shop.origin + picture)).bytes()
}
