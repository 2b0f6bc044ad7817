// What Lighthouse says about the public pages of the production build, as a phone on a slow network meets them.
// Lighthouse itself is fetched by npm when this runs: 170 MB that nobody needs who only wants the shop.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '#test/chromium.ts'
import { emptyFolder, runShop } from '#test/process.ts'

const version = '13.5.0'
const goals = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const measures = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'total-blocking-time': 'TBT',
  'cumulative-layout-shift': 'CLS',
}

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { displayValue?: string }>
}

const chromium = await findChromium()
const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-lighthouse-'))
const shop = await runShop({ DATA_DIR: emptyFolder() })
try {
  const [part] = await (await fetch(`${shop.origin}/api/part?limit=1`)).json()
  const rows = []
  for (const path of ['/', '/parts', `/parts/${part._id}`, '/blogs']) rows.push(await measure(path))
  console.table(rows)

  const missed = rows.flatMap((row) =>
    Object.entries(goals)
      .filter(([name, goal]) => Number(row[name]) < goal)
      .map(([name, goal]) => `${row.page}: ${name} is ${row[name]}, not ${goal}`),
  )
  for (const line of missed) console.error(line)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  shop.child.kill()
  await shop.ended
}

/** The run in the middle of three: one alone says as much about the machine as about the page. */
async function measure(path: string): Promise<Record<string, string | number>> {
  await warm(shop.origin + path)
  const runs: Report[] = []
  // Now and then Chromium loses the recording of a run.
  const again = () => lighthouse(shop.origin + path)
  while (runs.length < 3) runs.push(await again().catch(again))
  const score = (report: Report, name: string) => Math.round((report.categories[name]?.score ?? 0) * 100)
  runs.sort((a, b) => score(a, 'performance') - score(b, 'performance'))
  const report = runs[1]!

  const scores = Object.keys(goals).map((name) => [name, score(report, name)])
  const figures = Object.entries(measures).map(([id, name]) => [name, report.audits[id]?.displayValue ?? ''])
  return { page: path, ...Object.fromEntries([...scores, ...figures]) }
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
    // The Node that runs this file, and not whichever npm meets first.
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

/** Has every picture of a page made in every size, as the first visitors of a shop do. */
async function warm(url: string) {
  const page = await (await fetch(url)).text()
  for (const [picture] of page.matchAll(/\/images\/[\w-]+\.\w+/g))
    await (await fetch(shop.origin + picture)).bytes()
}
