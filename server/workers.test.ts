import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { childrenOf, emptyFolder, freePort } from '#test/process.ts'

const worker = `
import { existsSync } from 'node:fs'
const [broken, free] = process.argv.slice(2)
if (existsSync(broken)) process.exit(1)
let isLeaving = false
process.on('SIGTERM', () => {
  console.log(isLeaving ? 'cut off' : 'leaving')
  if (isLeaving) process.exit(1)
  setInterval(() => existsSync(free) && process.exit(), 50)
  isLeaving = true
})
process.on('disconnect', () => process.exit())
process.send('ready')
`

const primary = `
import cluster from 'node:cluster'
import { runWorkers } from '${resolve('server/workers.ts')}'
const [exec, ...args] = process.argv.slice(2)
cluster.setupPrimary({ exec, args })
const [send, collectMetrics] = [() => {}, async () => ({})]
await runWorkers({ count: 2, send, collectMetrics, warn: (message) => console.log(message) })
console.log('ready')
`

/** Serves a port, and is busy for ever with a request for `/busy`. */
const servingWorker = `
import { writeSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer((request, response) => {
  if (request.url === '/busy') {
    writeSync(1, 'busy ' + process.pid + '\\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  response.end()
})
server.listen(process.env.PORT, '127.0.0.1', () => process.send('ready'))
process.once('SIGTERM', () => process.exit())
`

/** Workers that do nothing, unless another script is given. Those that are asked to leave do so once they are let go. */
async function startWorkers({ script: workerScript = worker, env = {} } = {}) {
  const folder = emptyFolder()
  const files = ['worker.mjs', 'primary.mjs', 'broken', 'free'].map((name) => join(folder, name))
  const [exec, script, broken, free] = files
  writeFileSync(exec!, workerScript)
  writeFileSync(script!, primary)
  const child = spawn(process.execPath, [script!, exec!, broken!, free!], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const counted = (line: string) => output.split('\n').filter((printed) => printed.includes(line)).length
  await expect.poll(() => counted('ready')).toBe(1)
  return {
    child,
    exited,
    output: () => output,
    counted,
    pids: () => childrenOf(child.pid!),
    breakWorkers: () => writeFileSync(broken!, ''),
    letGo: () => writeFileSync(free!, ''),
  }
}

test('a stop while workers are replaced ends all of them, and cuts off none that is leaving', async () => {
  const { child, exited, counted, letGo } = await startWorkers()
  child.kill('SIGUSR2')
  await expect.poll(() => counted('leaving')).toBe(1)
  child.kill('SIGTERM')
  await expect.poll(() => counted('leaving')).toBe(3)
  letGo()
  expect(await exited).toBe(0)
  expect(counted('cut off')).toBe(0)
})

test('a second stop, which cuts workers off, ends the shop with 1', async () => {
  const { child, exited, counted } = await startWorkers()
  child.kill('SIGTERM')
  await expect.poll(() => counted('leaving')).toBe(2)
  child.kill('SIGTERM')
  expect(await exited).toBe(1)
  expect(counted('cut off')).toBe(2)
})

test('a worker that is killed while it leaves makes the shop end with 1', async () => {
  const { child, exited, counted, pids, letGo } = await startWorkers()
  child.kill('SIGTERM')
  await expect.poll(() => counted('leaving')).toBe(2)
  process.kill(pids()[0]!, 'SIGKILL')
  letGo()
  expect(await exited).toBe(1)
})

test('a stop ends the shop while no worker is running', async () => {
  const { child, exited, counted, pids, breakWorkers } = await startWorkers()
  breakWorkers()
  for (const pid of pids()) process.kill(pid, 'SIGKILL')
  await expect.poll(() => counted('starting another')).toBe(2)
  await expect.poll(pids).toEqual([0])
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('a worker that ends while another one is replaced is replaced once', async () => {
  const { child, exited, counted, pids, letGo } = await startWorkers()
  const before = pids()
  child.kill('SIGUSR2')
  await expect.poll(() => counted('leaving')).toBe(1)
  process.kill(before[1]!, 'SIGKILL')
  await expect.poll(() => counted('starting another')).toBe(1)
  letGo()
  await expect.poll(() => pids().filter((pid) => before.includes(pid))).toEqual([])
  await expect.poll(() => pids().length).toBe(2)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('requests sent while a worker is busy and killed are answered or closed', async () => {
  const PORT = String(await freePort())
  const { child, exited, output, counted, pids } = await startWorkers({
    script: servingWorker,
    env: { PORT },
  })
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => 'closed',
    )
  for (let kills = 1; kills <= 3; kills++) {
    const cut = send('/busy')
    await expect.poll(() => counted('busy')).toBe(kills)
    const requests = Array.from({ length: 8 }, () => send('/'))
    await Promise.race(requests)
    const busy = Number(
      output()
        .match(/(?<=busy )\d+/g)!
        .at(-1),
    )
    process.kill(busy, 'SIGKILL')
    expect(await cut).toBe('closed')
    expect(await Promise.all(requests)).toEqual(Array(8).fill(200))
    await expect.poll(() => pids().filter((pid) => pid !== busy)).toHaveLength(2)
  }
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})
