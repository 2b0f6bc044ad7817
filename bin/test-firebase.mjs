// Firebase's half of the identity tests, against Google's own emulator. It needs no account; npm fetches it the first time,
// which takes minutes, so this is no part of `npm test`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, fail, install, start } from './prepare.mjs'

const project = 'demo-winged-wheels'
const results = 'test-results/firebase'
const windows = process.platform === 'win32'
const patience = 10 * 60_000

install()
await build()
rmSync(results, { recursive: true, force: true })

const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-firebase-'))
const emulator = await startEmulator()
process.once('exit', () => emulator.end('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => emulator.end('SIGINT'))
let failure = await emulator.ready
if (!failure) {
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.firebase.config.ts']
  const { code } = await start(args, { env: { FIREBASE_AUTH_EMULATOR_HOST: emulator.host } }).ended
  if (code !== 0) failure = '\nFirebase: failed.'
}
emulator.end('SIGINT')
setTimeout(() => emulator.end('SIGKILL'), 10_000).unref()
await emulator.ended
rmSync(folder, { recursive: true, force: true })
if (failure) fail(failure)

const { stats } = JSON.parse(readFileSync(`${results}/browser.json`, 'utf8'))
if (stats.expected === 0 || stats.skipped > 0) fail(`${stats.skipped} tests were skipped.`)
console.log(`\n${stats.expected} passed, ${stats.unexpected} failed`)

/** Starts the emulator in a folder of its own, where it also keeps what it otherwise would in the home folder. */
async function startEmulator() {
  const host = `127.0.0.1:${await freePort()}`
  const auth = { host: '127.0.0.1', port: Number(host.split(':')[1]) }
  writeFileSync(
    join(folder, 'firebase.json'),
    JSON.stringify({ emulators: { auth, ui: { enabled: false } } }),
  )
  const [program, ...args] = findFirebase()
  console.log(`Starting Firebase's emulator: ${program} …`)
  const log = openSync(join(folder, 'log'), 'w')
  const child = spawn(program, [...args, 'emulators:start', '--only', 'auth', '--project', project], {
    cwd: folder,
    env: { ...process.env, CI: 'true', XDG_CONFIG_HOME: folder },
    stdio: ['ignore', log, log],
    shell: windows,
    // With whatever it starts it is a group of its own, which can be ended as one.
    detached: !windows,
  })
  let why
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`))
  }).then((reason) => {
    why = reason
  })

  /** Null as soon as it answers, or what to tell when it does not. */
  async function whenReady() {
    const deadline = Date.now() + patience
    while (!why && Date.now() < deadline) {
      const answer = await fetch(`http://${host}/`).catch(() => null)
      if (answer?.ok) return null
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const said = readFileSync(join(folder, 'log'), 'utf8')
    return `${said}\nFirebase's emulator could not be started: ${why ?? 'it did not answer in ten minutes'}.`
  }

  function end(signal) {
    if (why) return
    if (windows) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    else process.kill(-child.pid, signal)
  }

  return { host, ready: whenReady(), ended, end }
}

/** The program named by FIREBASE_TOOLS, the one that is installed, or the one that npm fetches. */
function findFirebase() {
  if (process.env.FIREBASE_TOOLS) return [process.env.FIREBASE_TOOLS]
  const installed = spawnSync('firebase', ['--version'], { shell: windows }).status === 0
  return installed ? ['firebase'] : ['npx', '--yes', '-p', 'firebase-tools@15', 'firebase']
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
