// Opens the tables of every commit with today's code and compares them with new ones. Needs the whole history of the repository.
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { computeChecksum } from '#db/checksum.ts'
import { openDatabase } from '#db/database.ts'
import { createDatabase, onServer, startPostgres } from '#test/postgres.ts'
import { describeTables } from '#test/tables.ts'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')
const server = await startPostgres()

async function tablesOf(name: string, prepare: (client: pg.Client) => Promise<void>) {
  const url = await createDatabase(server.url, name, 'template1')
  const client = new pg.Client(url)
  await client.connect()
  try {
    await prepare(client)
    await (await openDatabase({ kind: 'server', url })).close()
    return await describeTables(client)
  } finally {
    await client.end()
    await onServer(server.url, `drop database ${name} with (force)`)
  }
}

/** As `migrate` of that version: then the functions of versions that had them. */
async function applyFiles(client: pg.Client, [migrations = '', functions]: string[]) {
  await client.query('create table migrations (name text primary key, applied_at timestamptz default now())')
  for (const name of git('ls-tree', '--name-only', migrations).sort()) {
    await client.query(git('show', `${migrations}:${name}`).join('\n'))
    await client.query('insert into migrations (name) values ($1)', [name])
  }
  if (!functions) return
  await client.query('create table functions (name text primary key, checksum text not null)')
  for (const file of git('ls-tree', '--name-only', functions).sort()) {
    const text = execFileSync('git', ['show', `${functions}:${file}`], { encoding: 'utf8' })
    await client.query(text)
    await client.query('insert into functions values ($1, $2)', [
      file.replace(/\.sql$/, ''),
      computeChecksum(text),
    ])
  }
}

function findTree(commit: string, folder: string) {
  const [entry = ''] = git('ls-tree', commit, folder)
  return entry.split(/\s/)[2]
}

try {
  const expected = await tablesOf('new', async () => {})
  const versions = new Map<string, string>()
  for (const commit of git('log', '--reverse', '--format=%h')) {
    const migrations = findTree(commit, 'db/migrations')
    if (!migrations) continue
    const trees = [migrations, findTree(commit, 'db/functions') ?? ''].join(' ')
    if (!versions.has(trees)) versions.set(trees, commit)
  }
  let failures = 0
  for (const [trees, commit] of versions) {
    try {
      const tables = await tablesOf('older', (client) => applyFiles(client, trees.split(' ')))
      const differences = [
        ...expected.filter((line) => !tables.includes(line)).map((line) => `- ${line}`),
        ...tables.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
      ]
      if (differences.length > 0) throw new Error(differences.join('\n'))
    } catch (error) {
      failures += 1
      console.error(`${commit}: ${(error as Error).message}`)
    }
  }
  console.log(
    `${versions.size - failures} of ${versions.size} older versions of the tables open with this version.`,
  )
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await server.stop()
}
