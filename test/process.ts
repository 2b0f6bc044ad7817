import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'

export interface RunningShop {
  child: ChildProcess
  origin: string
  output(): string
  exited: Promise<number | string>
}

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Deleted when this process exits. */
export function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  folders.push(folder)
  return folder
}

/** A copy of a seeded demo folder: seeding one takes seconds. Files that never change are links: a copy takes half a second. */
export function demoFolder({ database = true } = {}) {
  const folder = emptyFolder()
  const { DEMO_FOLDER } = process.env
  if (!DEMO_FOLDER) return folder
  for (const name of readdirSync(DEMO_FOLDER)) {
    const [from, to] = [join(DEMO_FOLDER, name), join(folder, name)]
    if (name === 'images') linkFiles(from, to)
    else if (name !== 'postgres' || database) cpSync(from, to, { recursive: true })
  }
  return folder
}

function linkFiles(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) linkSync(join(from, name), join(to, name))
}

/** Without optimized code the embedded engine starts with a third less CPU time, and runs slower. */
export const fastStart = ['--liftoff-only']

/** Starts the production server in `cwd`; resolves when it is ready or has exited. Benchmarks have no `flags`. */
export async function runShop(
  env: Record<string, string> = {},
  flags: string[] = fastStart,
  cwd = '.',
  node = process.execPath,
): Promise<RunningShop> {
  const port = env.PORT ?? String(await freePort())
  const child = spawn(node, [...flags, 'server/main.ts'], {
    cwd,
    env: { ...baseEnv(), NODE_ENV: 'production', RATE_LIMITS: 'off', PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone'))
  })
  await new Promise<void>((resolve) => {
    let isReady = false
    const read = (text: Buffer) => {
      printed += text
      // Searching all that a busy shop prints would take longer than printing it.
      isReady ||= printed.includes('is running at')
      if (isReady) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    exited.then(() => resolve())
  })
  // Another test may have taken the port since it was free.
  if (!env.PORT && printed.includes('EADDRINUSE')) return runShop(env, flags, cwd, node)
  return { child, origin: `http://127.0.0.1:${port}`, output: () => printed, exited }
}

/** Passes on PATH and the process settings of bin/prepare.mjs, but no shop settings. */
function baseEnv() {
  const { PATH, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  return { PATH, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_OPTIONS, NODE_COMPILE_CACHE }
}

/** Their process ids. */
export function childrenOf(pid: number) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

/** Not one of those that the system gives to connections and to servers without a port of their own, such as those of other tests. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

export interface Account {
  name: string
  email: string
  password: string
}

/** A busy machine takes longer than the people whom a shorter timeout is for would wait. */
export const testTimeoutMs = 150_000

export async function createSignedInClient(origin: string, account: Account) {
  const token = await accessTokenOf(origin, account)
  return createClient(api, { origin, token: () => token, timeoutMs: testTimeoutMs })
}

export async function accessTokenOf(origin: string, account: Account) {
  return (await openSession(origin, 'sign-in', account)).token
}

/** The identity provider's cookies and the shop's access token. */
export interface BrowserSession {
  cookies: { name: string; value: string; url: string }[]
  token: string
}

export async function openSession(
  origin: string,
  action: 'sign-in' | 'sign-up',
  { name, email, password }: Account,
): Promise<BrowserSession> {
  const response = await fetch(`${origin}/identity/${action}/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(action === 'sign-up' ? { name, email, password } : { email, password }),
  })
  const lines = response.headers.getSetCookie().map((line) => line.split(';')[0]!)
  const headers = { cookie: lines.join('; ') }
  const { token: idToken } = await (await fetch(`${origin}/identity/token`, { headers })).json()
  if (decodeJwt(idToken).email !== email) throw new Error('signed in as somebody else')
  const { token } = await createClient(api, {
    origin,
    token: () => idToken,
    timeoutMs: testTimeoutMs,
  }).signIn({
    params: { email },
    body: { email },
  })
  const cookies = lines.map((line) => {
    const at = line.indexOf('=')
    return { name: line.slice(0, at), value: line.slice(at + 1), url: origin }
  })
  return { cookies, token }
}
