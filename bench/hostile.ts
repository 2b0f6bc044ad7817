// How long other requests wait while files, messages and tables are read that were made to keep the shop busy. One process, embedded engine.
import { setTimeout } from 'node:timers/promises'
import { demoAdmin } from '#db/seed/accounts.ts'
import { accessTokenOf } from '#test/process.ts'
import { runDemo } from './demo.ts'

const heading = 'Part number,Name,Price breaks\n'
const megabytes = (text: string, count: number) => text.repeat(Math.floor((count * 1_000_000) / text.length))
const files: Record<string, string> = {
  'a cell of 5 kB of spaces': `${heading}"WW-1","Chain","10${' '.repeat(5_000)}x"\n`,
  'a cell of 5 kB of quotation marks before a formula': `${heading}"WW-1","${"'".repeat(5_000)}=1",""\n`,
  '9 MB of line breaks': heading + megabytes('\n', 9),
  '9 MB of quotation marks': heading + megabytes('"', 9),
  '9 MB of `,"`': heading + megabytes(',"', 9),
  '9 MB of rows': heading + megabytes('WW-1,Chain,10: 5\n', 9),
  '9 MB of one row': heading + megabytes('x,', 9),
}

const { child, origin } = await runDemo({ RATE_LIMITS: 'on' })
try {
  const headers = {
    authorization: `Bearer ${await accessTokenOf(origin, demoAdmin)}`,
    'content-type': 'application/json',
  }
  const preview = (csv: string) =>
    fetch(`${origin}/api/product-imports/preview`, { method: 'POST', headers, body: JSON.stringify({ csv }) })
  console.log('| file | status | answered in | longest wait of others |\n| --- | --- | --- | --- |')
  for (const [name, csv] of Object.entries(files)) {
    const waits: number[] = []
    const start = performance.now()
    const answer = preview(csv).then(async (response) => {
      await response.text()
      return response.status
    })
    let status: number | undefined
    answer.then((value) => {
      status = value
    })
    while (status === undefined) {
      const asked = performance.now()
      await (await fetch(`${origin}/healthz`)).text()
      waits.push(performance.now() - asked)
      await setTimeout(5)
    }
    const ms = performance.now() - start
    console.log(`| ${name} | ${status} | ${ms.toFixed(0)} ms | ${Math.max(...waits).toFixed(0)} ms |`)
    await setTimeout(1_000)
  }
} finally {
  child.kill()
}
