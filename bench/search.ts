import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { openDatabase } from '#db/database.ts'
import { type Database, parts } from '#db/schema.ts'
import type { PartSearch } from '#shop/parts/facets.ts'
import { findParts, foundIds, readSearch } from '#shop/parts/search.server.ts'
import { startPostgres } from '#test/postgres.ts'
import { catalogue } from './catalogue.ts'

const size = 10_000
const rounds = 5
const prefixesOf = (...words: string[]) =>
  words.flatMap((word) => [...word].map((_, i) => ({ q: word.slice(0, i + 1) })))
const queriesOf = (...queries: string[]) => queries.map((q) => ({ q }))

const kinds: Record<string, PartSearch[]> = {
  'first letters': queriesOf('a', 'b', 'c', 'm', 's', 't', '1', 'ch', 'st', 'ma', 'wo', '28'),
  'typed letter by letter': prefixesOf('cassette', 'rear derailleur', 'carbon handlebar 31.8 mm'),
  'several words': queriesOf(
    ...[
      'meridian chain',
      'rear hub 32h',
      'carbon rim wet winters',
      'alloy stem aldermoor',
      'tubeless trail tyre',
    ],
    ...[
      'chainring 42t forged',
      'stainless spokes',
      'torque wrench',
      'the grips for e-bikes',
      'gravel tire 700x45',
    ],
  ),
  typos: queriesOf(
    ...[
      'chian',
      'casette',
      'deraileur',
      'derailer',
      'sadle',
      'rottor',
      'handelbar',
      'pedel',
      'weel',
      'seatpsot',
    ],
    ...['merrow chianring', 'suspention fork', 'rear derailuer 11-51t', 'xyzzy', 'penny-farthing'],
  ),
  'part numbers': queriesOf('ww-', 'ww-1', 'WW-15', 'ww 1500', 'WW1500'),
  'words and filters': [
    { q: 'chain', brand: ['Aldermoor', 'Ostrand'] },
    { q: 'c', category: 'Drivetrain', available: true },
    { q: 'tyre', price: '25-49' },
    { q: 'alloy', brand: 'Farrow', category: ['Cockpit', 'Wheels'], price: '50-99', available: true },
    { q: 'hub', sort: 'price' },
    { q: 'steel', sort: '-price', available: true },
  ],
  'filters alone': [
    { brand: 'Aldermoor' },
    { category: ['Brakes', 'Tools'] },
    { price: '100-249', available: true },
    { brand: ['Oxbow', 'Pennard'], category: 'Forks', sort: 'name' },
    { available: true, sort: '-price' },
  ],
  'everything, and deep pages': [
    {},
    { sort: 'name' },
    { sort: 'price' },
    { page: 200 },
    { sort: 'name', page: 400 },
    { q: 'a', page: 100 },
    { q: 'mm', page: 200 },
  ],
}

const onServer = process.argv.includes('postgres')
const server = onServer ? await startPostgres({ durable: true }) : null
const { db, close } = await openDatabase(server ? { kind: 'server', url: server.url } : { kind: 'memory' })
try {
  await fill(db)
  await measure(db)
  await explain(db)
} finally {
  await close()
  await server?.stop()
}

async function fill(db: Database) {
  const rows = catalogue(size)
  for (let i = 0; i < size; i += 500) await db.insert(parts).values(rows.slice(i, i + 500))
  // Both engines also do this periodically.
  await db.execute('vacuum analyze')
}

async function measure(db: Database) {
  console.log(
    `${size} parts, ${onServer ? 'a Postgres server' : 'the embedded Postgres'}; milliseconds a call\n`,
  )
  console.log(
    `${'kind'.padEnd(28)}${['calls', 'median', 'p95', 'slowest'].map((title) => title.padStart(9)).join('')}`,
  )
  for (const [kind, queries] of Object.entries(kinds)) {
    const times: { ms: number; query: PartSearch }[] = []
    for (let round = 0; round <= rounds; round++) {
      for (const query of queries) {
        const start = performance.now()
        await findParts({ db }, { limit: 24, ...query })
        // The first round only warms up.
        if (round > 0) times.push({ ms: performance.now() - start, query })
      }
    }
    times.sort((a, b) => a.ms - b.ms)
    const at = (share: number) => times[Math.ceil(times.length * share) - 1]!.ms
    const figures = [queries.length, ...[at(0.5), at(0.95), at(1)].map((ms) => ms.toFixed(1))]
    const slowest = JSON.stringify(times.at(-1)!.query)
    console.log(
      `${kind.padEnd(28)}${figures.map((figure) => String(figure).padStart(9)).join('')}  ${slowest}`,
    )
  }
}

async function explain(db: Database) {
  for (const q of ['carbon handlebar', 'handelbar']) {
    const rows = foundIds(await readSearch(db, { q }), { limit: 24 })
    await plan(db, `“${q}”: a page of parts`, sql`select from ${rows}`)
    const tracedDb = new Proxy(db, {
      get: (target, name) => (name === 'execute' ? explainAndExecute : Reflect.get(target, name)),
    })
    async function explainAndExecute(query: SQL) {
      const text = new PgDialect().sqlToQuery(query).sql
      const label = Object.entries({
        'whether a part has the words': 'with matching',
        'the words it may mean': 'search_words',
        facets: 'with found',
      }).find(([, marker]) => text.includes(marker))?.[0]
      if (label) await plan(db, `“${q}”: ${label}`, query)
      return db.execute(query)
    }
    await findParts({ db: tracedDb }, { q, limit: 24 })
  }
}

async function plan(db: Database, title: string, query: SQL) {
  const { rows } = (await db.execute(sql`explain (analyze, buffers off) ${query}`)) as unknown as {
    rows: { 'QUERY PLAN': string }[]
  }
  console.log(`\n${title}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
}
