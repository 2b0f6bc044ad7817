import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sendErrorResponse } from '#api/server.ts'
import { log, sendLog } from './log.ts'

const lines: Record<string, unknown>[] = []
beforeEach(() => {
  lines.length = 0
  sendLog({ write: (line) => lines.push(JSON.parse(line)) }, 'info')
})
afterEach(() => void vi.useRealTimers())

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' })

test('an unexpected error writes at most 20 lines a minute, and how many were omitted', async () => {
  vi.useFakeTimers()
  const app = new Hono().get('/', () => {
    throw new Error('broken')
  })
  app.onError(sendErrorResponse)
  for (let i = 0; i < 25; i++) expect((await app.request('/')).status).toBe(500)
  expect(lines).toHaveLength(20)
  vi.advanceTimersByTime(60_000)
  await app.request('/')
  expect(lines.slice(20)).toMatchObject([
    { level: 'error', msg: 'request failed', omitted: 5, err: { message: 'broken' } },
  ])
})

test('an error of another program writes one line in ten seconds, wherever it occurs, and how many were omitted', () => {
  vi.useFakeTimers()
  for (const message of ['request failed', 'page failed', 'job failed'])
    for (let i = 0; i < 100; i++) log.error({ err: refused(5432) }, message)
  log.error({ err: refused(9000) }, 'image bucket failed')
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'image bucket failed'])
  expect(lines[0]).not.toHaveProperty('err.stack')
  vi.advanceTimersByTime(10_000)
  log.error({ err: refused(5432) }, 'request failed')
  expect(lines[2]).toMatchObject({ omitted: 299, err: { code: 'ECONNREFUSED' } })
})

test('a line has no statement parameter, email address, query, token or key', () => {
  const fromPostgres = Object.assign(new Error('invalid input syntax for type uuid: "my wish"'), {
    code: '22P02',
  })
  const fromDrizzle = new Error('Failed query: select 1\nparams: ada@example.com', { cause: fromPostgres })
  log.error({ err: fromDrizzle }, 'request failed')
  log.error({ err: new Error('Failed query: select 1\nparams: my wish') }, 'page failed')
  const token = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'x'.repeat(43)}`
  const secrets = ['/api/user/ada%40example.com', '/images/upload?key=0123456789', `Bearer ${token}`]
  secrets.push(token, 'sk_live_0123456789', 'rk_test_0123456789', 'whsec_0123456789', 'pi_1_secret_2')
  for (const secret of [...secrets, 'grüße@bücher.example', 'sk_test_0123456789 of ada@example.com'])
    log.warn({ reason: `refused ${secret} there` }, secret)
  const text = JSON.stringify(lines)
  expect(lines).toHaveLength(12)
  expect(text).not.toMatch(/my wish|ada|0123456789|eyJ|secret_2|bücher/)
  expect(text).toContain('refused /api/user/[email] there')
})

test('the last JSON lines are written when the process ends', async () => {
  const script = `import { configureLog, log } from './telemetry/log.ts'
    configureLog({ level: 'info', format: 'json' })
    for (let i = 1; i <= 5_000; i++) log.info({ i }, 'line')
    process.exit(1)`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  const written = stderr.trimEnd().split('\n')
  expect([status, written.length]).toEqual([1, 5_000])
  expect(JSON.parse(written.at(-1)!)).toMatchObject({ level: 'info', msg: 'line', i: 5_000 })
})

test('a JSON line is written although no other follows it', async () => {
  const script = `import { configureLog, log } from './telemetry/log.ts'
    configureLog({ level: 'info', format: 'json' })
    log.info('line')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [written] = await once(child.stderr, 'data')
  expect(JSON.parse(written)).toMatchObject({ level: 'info', msg: 'line' })
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a log that cannot be written, on a full disk, neither stops a process nor holds up its end', async () => {
  const script = `import { configureLog, log } from './telemetry/log.ts'
    configureLog({ level: 'info', format: 'json' })
    process.stdin.on('data', () => {
      log.error('line')
      console.log('alive')
    })
    process.stdin.on('end', () => process.exit(0))`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', full],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for (let i = 0; i < 3; i++) {
    child.stdin!.write('.')
    await once(child.stdout!, 'data')
  }
  child.stdin!.end()
  expect(await once(child, 'exit')).toEqual([0, null])

  // The first line is still being written, and the second waits for it.
  const briefScript = `import { configureLog, log } from './telemetry/log.ts'
    configureLog({ level: 'info', format: 'json' })
    for (const line of ['first', 'second']) log.error(line)
    process.exit(0)`
  const brief = spawn(process.execPath, ['--input-type=module', '-e', briefScript], {
    stdio: ['ignore', 'ignore', full],
  })
  onTestFinished(() => void brief.kill('SIGKILL'))
  expect(await once(brief, 'exit')).toEqual([0, null])
  closeSync(full)
})
