// Identity tests against Google's Firebase emulator. Not part of `npm test`: its first download takes minutes.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments } from './arguments.mjs'
import { build, fail, install, start } from './prepare.mjs'

const project = 'demo-winged-wheels'
const results = 'test-results/firebase'
const windows = process.platform === 'win32'
const timeoutMs = 10 * 60_000

readArguments('test:firebase')
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
  if (code !== 0) failure = '\nThe Firebase tests failed. See the errors above.'
}
emulator.end('SIGINT')
setTimeout(() => emulator.end('SIGKILL'), 10_000).unref()
await emulator.ended
rmSync(folder, { recursive: true, force: true })
if (failure) fail(failure)

const { stats } = JSON.parse(readFileSync(`${results}/browser.json`, 'utf8'))
if (stats.expected === 0) fail('No tests ran.')
if (stats.skipped > 0) fail(`${stats.skipped} tests were skipped.`)
console.log(`\n${stats.expected} passed, ${stats.unexpected} failed`)

/** Keeps all files, also those for the home folder, in a temporary folder. */
async function startEmulator() {
  const host = `127.0.0.1:${await freePort()}`
  const auth = { host: '127.0.0.1', port: Number(host.split(':')[1]) }
  writeFileSync(
    join(folder, 'firebase.json'),
    JSON.stringify({ emulators: { auth, ui: { enabled: false } } }),
  )
  const [program, ...args] = findFirebase()
  console.log(`Starting the Firebase emulator: ${program} …`)
  const log = openSync(join(folder, 'log'), 'w')
  const child = spawn(program, [...args, 'emulators:start', '--only', 'auth', '--project', project], {
    cwd: folder,
    env: { ...process.env, CI: 'true', XDG_CONFIG_HOME: folder },
    stdio: ['ignore', log, log],
    shell: windows,
    // A process group of its own, so that child processes can be killed with it.
    detached: !windows,
  })
  let exitReason
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`it exited with ${signal ?? code}`))
  }).then((reason) => {
    exitReason = reason
  })

  async function whenReady() {
    const deadline = Date.now() + timeoutMs
    while (!exitReason && Date.now() < deadline) {
      const response = await fetch(`http://${host}/`).catch(() => null)
      if (response?.ok) return null
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const output = readFileSync(join(folder, 'log'), 'utf8')
    return `${output}\nThe Firebase emulator could not be started: ${exitReason ?? 'it did not respond within 10 minutes'}.`
  }

  function end(signal) {
    if (exitReason) return
    if (windows) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    else process.kill(-child.pid, signal)
  }

  return { host, ready: whenReady(), ended, end }
}

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
