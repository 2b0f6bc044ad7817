// Opens the tables of every commit with today's code and compares them with new ones. Needs the whole history of the repository.
import { execFileSync } from 'node:child_process'
import pg from 'pg'
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

async function applyFiles(client: pg.Client, tree: string) {
  await client.query('create table migrations (name text primary key, applied_at timestamptz default now())')
  for (const name of git('ls-tree', '--name-only', tree).sort()) {
    await client.query(git('show', `${tree}:${name}`).join('\n'))
    await client.query('insert into migrations (name) values ($1)', [name])
  }
}

try {
  const expected = await tablesOf('new', async () => {})
  const trees = new Map<string, string>()
  for (const commit of git('log', '--reverse', '--format=%h')) {
    const [entry = ''] = git('ls-tree', commit, 'db/migrations')
    const tree = entry.split(/\s/)[2]
    if (tree && !trees.has(tree)) trees.set(tree, commit)
  }
  let failures = 0
  for (const [tree, commit] of trees) {
    try {
      const tables = await tablesOf('older', (client) => applyFiles(client, tree))
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
    `${trees.size - failures} of ${trees.size} older versions of the tables open with this version.`,
  )
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await server.stop()
}
