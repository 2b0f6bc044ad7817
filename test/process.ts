import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'

/** A program of the production build, as an operating system sees it. */
export interface Running {
  child: ChildProcess
  origin: string
  /** All that it printed so far. */
  printed(): string
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Gone with this process. */
export function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  folders.push(folder)
  return folder
}

/** A data folder as the demo leaves it after its first start, which takes seconds. */
export function demoFolder() {
  const folder = emptyFolder()
  const { DEMO_FOLDER } = process.env
  if (DEMO_FOLDER) cpSync(DEMO_FOLDER, folder, { recursive: true })
  return folder
}

/** Runs the production server until it is open or has ended. */
export async function runShop(env: Record<string, string> = {}): Promise<Running> {
  const port = env.PORT ?? String(await freePort())
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...machine(), NODE_ENV: 'production', RATE_LIMITS: 'off', PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone'))
  })
  await new Promise<void>((resolve) => {
    const read = (text: Buffer) => {
      printed += text
      if (printed.includes('is open at')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => resolve())
  })
  return { child, origin: `http://127.0.0.1:${port}`, printed: () => printed, ended }
}

/** Where programs are, and how memory is kept, as `bin/prepare.mjs` has it; no setting of whoever runs the tests. */
function machine() {
  const { PATH, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_OPTIONS } = process.env
  return { PATH, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_OPTIONS }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export interface Account {
  name: string
  email: string
  password: string
}

/** Signs in over HTTP as a browser does, and answers the shop's calls as that person. */
export async function signedIn(origin: string, account: Account) {
  const token = await accessTokenOf(origin, account)
  return createClient(api, { origin, token: () => token })
}

/** Signs in over HTTP as a browser does. */
export async function accessTokenOf(origin: string, account: Account) {
  return (await openSession(origin, 'sign-in', account)).token
}

/** What a browser keeps of somebody who is signed in: the identity provider's cookies and the shop's access token. */
export interface BrowserSession {
  cookies: { name: string; value: string; url: string }[]
  token: string
}

/** Signs in, or registers somebody new, over HTTP as a browser does. */
export async function openSession(
  origin: string,
  way: 'sign-in' | 'sign-up',
  { name, email, password }: Account,
): Promise<BrowserSession> {
  const answer = await fetch(`${origin}/identity/${way}/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(way === 'sign-up' ? { name, email, password } : { email, password }),
  })
  const lines = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
  const headers = { cookie: lines.join('; ') }
  const { token: idToken } = await (await fetch(`${origin}/identity/token`, { headers })).json()
  if (decodeJwt(idToken).email !== email) throw new Error('signed in as somebody else')
  const { token } = await createClient(api, { origin, token: () => idToken }).signIn({
    params: { email },
    body: { email },
  })
  const cookies = lines.map((line) => {
    const at = line.indexOf('=')
    return { name: line.slice(0, at), value: line.slice(at + 1), url: origin }
  })
  return { cookies, token }
}
