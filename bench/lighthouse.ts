// Lighthouse scores of the public pages (production build, slow phone). npm fetches Lighthouse (170 MB) on demand.
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
const shop = await runShop({ DATA_DIR: emptyFolder() }, [])
try {
  const [part] = await (await fetch(`${shop.origin}/api/part?limit=1`)).json()
  const rows = []
  for (const path of ['/', '/parts', `/parts/${part._id}`, '/blogs']) rows.push(await measure(path))
  console.table(rows)

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
