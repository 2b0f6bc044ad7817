import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { freePort } from '#test/process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent in the embedded project. */
    postgresUrl?: string
  }
}

export const template = 'shop_template'

/** Vitest global setup. Tests get the URL with `inject('postgresUrl')`. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  const { openDatabase } = await import('#db/database.ts')
  const url = await server.createDatabase(template)
  await openDatabase({ kind: 'server', url }).then(({ close }) => close())
  project.provide('postgresUrl', server.url)
  return server.stop
}

const notDurable = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

const sharedMemory = '/dev/shm'
const enoughMemory = 4 * 2 ** 30

/** In memory where there is room: hundreds of databases are created and dropped, which takes a disk a third of Postgres’s time. */
function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize >= enoughMemory ? sharedMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Starts a Postgres server on a free port; `durable` with production settings. Throws when Postgres is missing. */
export async function startPostgres({ durable = false } = {}) {
  const server = await startServer({ durable }, (data, run) =>
    // Whatever the environment's locale is: C has no lower case for letters such as Ł.
    run('initdb', ['-D', data, '-U', 'shop', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C.UTF-8']),
  )
  return { ...server, createDatabase: (name: string) => createDatabase(server.url, name, 'template1') }
}

/** A server that follows another one, given by its URL. */
export function startReplica(primary: string) {
  return startServer({ durable: false }, (data, run) =>
    run('pg_basebackup', ['-d', primary, '-D', data, '-R', '-N', '-c', 'fast', '-X', 'stream']),
  )
}

async function startServer(
  { durable }: { durable: boolean },
  create: (data: string, run: (program: string, args: string[]) => void) => void,
) {
  // Links to some of the programs may be on the PATH.
  const binaries = dirname(realpathSync(join(findPostgres(), 'postgres')))
  const folder = mkdtempSync(join(durable ? tmpdir() : fastFolder(), 'winged-wheels-postgres-'))
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? nobodyIds() : undefined
  if (user) chownSync(folder, user.uid, user.gid)

  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  create(data, (program, args) => execFileSync(join(binaries, program), args, options))
  const port = await freePort()
  const settings = ['max_connections=100', ...(durable ? [] : notDurable)].flatMap((setting) => [
    '-c',
    setting,
  ])
  const args = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1']
  // The shell stops Postgres when its input ends: also when this process is killed.
  const script = '"$@" & cat > /dev/null; kill -INT $!; wait; rm -rf "$0"'
  const server = spawn('/bin/sh', ['-c', script, folder, join(binaries, 'postgres'), ...args, ...settings], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stopped = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgres://shop@127.0.0.1:${port}/postgres`
  await waitUntilReady(url)

  return {
    url,
    async stop() {
      server.stdin.end()
      await stopped
    },
  }
}

/** Copies the database `from`, which must have no connections. Returns the URL. Copying files takes half the CPU time of logging pages. */
export async function createDatabase(server: string, name: string, from: string) {
  await onServer(server, `create database ${name} template ${from} strategy file_copy`)
  const url = new URL(server)
  url.pathname = name
  return url.href
}

/** Runs a statement in the `postgres` database, such as `create database`. */
export async function onServer(server: string, statement: string) {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}

function findPostgres(): string {
  const found = findInstalled()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing PostgreSQL for the tests …')
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-qq', 'postgresql'], { stdio: 'ignore' })
  }
  const installed = findInstalled()
  if (installed) return installed
  throw new Error(
    'The tests need a PostgreSQL server (Debian: apt-get install postgresql), with initdb on the PATH.',
  )
}

function findInstalled() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : []
  const folders = (process.env.PATH ?? '')
    .split(':')
    .concat(versions.map((version) => join(debian, version, 'bin')))
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

function nobodyIds() {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: id('-u'), gid: id('-g') }
}

async function waitUntilReady(url: string) {
  for (let i = 0; i < 3_000; i++) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await client.end()
    }
  }
  throw new Error('The PostgreSQL server of the tests did not start.')
}
