import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { connectInBulk } from '#db/bulk/connection.ts'
import { digestTable, listFunctions, listMigrations, listTables, type RowDigest } from '#db/bulk/tables.ts'
import { openDatabase } from '#db/database.ts'
import { currentFunctions } from '#db/functions.ts'
import { migrate, migrationFiles } from '#db/migrate.ts'
import { readConfig } from '#server/config/config.ts'
import { claimSecret, findSecret, readSecret } from '#server/config/secrets.ts'
import { placePurchase } from '#shop/orders/place/place.server.ts'
import { createDatabase } from '#test/postgres.ts'
import { emptyFolder } from '#test/process.ts'
import { createPart, createUser, payOrderByCard, purchase, type TestShop, testShop } from '#test/shop.ts'
import { createArchive, describeFile, readArchive } from './archive.ts'
import { backUp } from './back-up.ts'
import { backupName, lastBackupAt } from './files.ts'
import { type Manifest, manifestFile, verifyBackup } from './manifest.ts'
import { moveData } from './move-data.ts'
import { restore } from './restore.ts'

const server = inject('postgresUrl')!
/** More than one block of zstd, so that what is before a damage can be read. */
const pictureBytes = randomBytes(600_000)
const picture = `${'0'.repeat(31)}1.webp`

async function newDatabase() {
  return createDatabase(server, `restored_${crypto.randomUUID().replaceAll('-', '')}`, 'template1')
}

function configOf(url: string, settings: Record<string, string> = {}) {
  return readConfig({ DATABASE_URL: url, DATA_DIR: emptyFolder(), DEMO: 'on', ...settings })
}

async function urlOf({ db }: TestShop) {
  const [row] = (
    (await db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
  ).rows
  return Object.assign(new URL(server), { pathname: row!.name }).href
}

/** A shop with a paid order, and its backup. */
async function setUp() {
  const shop = await testShop()
  const config = configOf(await urlOf(shop))
  await claimSecret(shop.db, config.dataDir)
  const part = await createPart(shop, {
    image: `/images/${picture}`,
    name: 'Tab\there, line\nbreak, back\\slash, \\N, …',
  })
  const owner = await createUser(shop, 'Ada')
  const order = await placePurchase(shop, owner, { ...purchase, partId: part._id, quantity: 10 })
  await payOrderByCard(shop, owner, order)
  mkdirSync(join(config.dataDir, 'images'))
  writeFileSync(join(config.dataDir, 'images', picture), pictureBytes)
  const file = join(emptyFolder(), 'backup.tar.zst')
  await backUp(config, { file })
  return { shop, config, file, part, owner }
}

async function inspect(url: string) {
  const connection = await connectInBulk(url)
  try {
    const tables: Record<string, RowDigest> = {}
    for (const table of await listTables(connection))
      tables[table.name] = await digestTable(connection, table)
    const rules = await connection.run(`
      select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as rule from pg_trigger where not tgisinternal
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      union all select indexdef from pg_indexes where schemaname in ('public', 'identity', 'bank') order by 1`)
    const sequences = await connection.run(
      `select sequencename, last_value::int from pg_sequences where schemaname <> 'jobs' and last_value is not null order by 1`,
    )
    return {
      tables,
      rules,
      sequences,
      migrations: await listMigrations(connection),
      functions: await listFunctions(connection),
    }
  } finally {
    await connection.close()
  }
}

/** Changes what a backup contains, and its manifest accordingly. */
async function rewrite(file: string, change: (content: Map<string, Buffer>, manifest: Manifest) => void) {
  const content = new Map<string, Buffer>()
  for await (const { name, bytes } of readArchive(file)) content.set(name, bytes)
  const manifest = JSON.parse(content.get(manifestFile)!.toString())
  content.delete(manifestFile)
  change(content, manifest)
  manifest.files = [...content].map(([name, bytes]) => describeFile(name, bytes))
  const path = join(emptyFolder(), 'rewritten.tar.zst')
  const archive = await createArchive(path)
  for (const [name, bytes] of content) await archive.add(name, bytes)
  await archive.add(manifestFile, Buffer.from(JSON.stringify({ format: 1, ...manifest })))
  await archive.finish()
  return path
}

async function expectNothingRestored(config: ReturnType<typeof configOf>) {
  expect(existsSync(join(config.dataDir, 'secret'))).toBe(false)
  const images = join(config.dataDir, 'images')
  expect(existsSync(images) ? readdirSync(images) : []).toEqual([])
  const { tables } = await inspect((config.database as { url: string }).url)
  const filled = Object.entries(tables)
    .filter(([, { rows }]) => rows > 0)
    .map(([name]) => name)
  expect(filled.filter((name) => !/_counters?$|\.synonyms$/.test(name))).toEqual([])
}

test('a restored shop has the rows, rules, sequences, pictures and secret of the backup, and takes orders', async () => {
  const { shop, config, file, part, owner } = await setUp()
  // After the backup.
  const source = await inspect(await urlOf(shop))
  await shop.db.execute(sql`delete from basket_items`)
  const target = configOf(await newDatabase())
  await restore(target, file)

  const { url } = target.database as { url: string }
  expect(await inspect(url)).toEqual(source)
  expect(findSecret(target.dataDir)).toEqual(findSecret(config.dataDir))
  expect(readFileSync(join(target.dataDir, 'images', picture))).toEqual(pictureBytes)

  const { db, close } = await openDatabase({ kind: 'server', url })
  try {
    await claimSecret(db, target.dataDir)
    const again = await placePurchase({ ...shop, db }, owner, { ...purchase, partId: part._id, quantity: 10 })
    expect(again).toHaveProperty('_id')
    await expect(db.execute(sql`delete from ledger`)).rejects.toThrow()
  } finally {
    await close()
  }
})

test('a damaged backup is refused before anything is written, naming its first bad part', async () => {
  const { file } = await setUp()
  const target = configOf(await newDatabase())
  const orders = 'tables/public.orders/000000.copy'
  const damage: [string, RegExp][] = [
    [
      await damaged(file, { [orders]: (bytes) => bytes.fill('x', 3, 5) }),
      new RegExp(`damaged: ${orders} differs`),
    ],
    [
      await damaged(file, { [`pictures/${picture}`]: () => Buffer.from('another') }),
      /damaged: pictures\/0+1\.webp/,
    ],
    [await damaged(file, { [orders]: () => null }), new RegExp(`damaged: ${orders} differs`)],
    [await truncated(file, 0.6), /damaged or incomplete at (tables|pictures)\//],
    [await truncated(file, 0.999), /damaged or incomplete/],
    [await flipped(file), new RegExp(`damaged: pictures/${picture} differs`)],
    [await written('not a backup'), /is not a backup, or its beginning is damaged/],
    [join(emptyFolder(), 'none'), /Cannot read .* \(ENOENT\)\.$/],
    [
      await rewrite(file, (_, manifest) => manifest.migrations.push('9999_later.sql')),
      /newer version .*9999_later/,
    ],
    [
      await rewrite(file, (_, manifest) =>
        manifest.functions.push({ name: 'place_orders', checksum: '0'.repeat(64) }),
      ),
      /newer version .*function place_orders/,
    ],
  ]
  for (const [path, message] of damage) await expect(restore(target, path)).rejects.toThrow(message)
  expect((await inspect((target.database as { url: string }).url)).migrations).toEqual([])
  await expectNothingRestored(target)
})

/** The manifest stays. */
async function damaged(file: string, changes: Record<string, (bytes: Buffer) => Buffer | null>) {
  const path = join(emptyFolder(), 'damaged.tar.zst')
  const archive = await createArchive(path)
  for await (const { name, bytes } of readArchive(file)) {
    const changed = changes[name] ? changes[name](bytes) : bytes
    if (changed) await archive.add(name, changed)
  }
  await archive.finish()
  return path
}

async function written(bytes: Uint8Array | string) {
  const path = join(emptyFolder(), 'copy.tar.zst')
  writeFileSync(path, bytes)
  return path
}

async function truncated(file: string, share: number) {
  const path = await written(readFileSync(file))
  truncateSync(path, Math.floor(readFileSync(file).length * share))
  return path
}

/** At half of the file there is the picture, which cannot be compressed. */
async function flipped(file: string, at?: number) {
  const bytes = readFileSync(file)
  const place = at ?? Math.floor(bytes.length / 2)
  bytes[place] = bytes[place]! ^ 1
  return written(bytes)
}

test('a backup with any other byte, or with more or fewer, is refused, naming the part', async () => {
  const { file } = await setUp()
  const { length } = readFileSync(file)
  const problemOf = (path: string) =>
    verifyBackup(path).then(
      () => 'none',
      ({ message }) => String(message),
    )
  const spread = Array.from({ length: 60 }, (_, i) => Math.floor((length * i) / 60))
  const end = Array.from({ length: 100 }, (_, i) => length - 1 - i)
  for (const at of [...spread, ...end])
    expect(await problemOf(await flipped(file, at)), `byte ${at} of ${length}`).toMatch(/damaged/)
  for (const at of end.slice(0, 72))
    expect(await problemOf(await flipped(file, at)), `byte ${at} of ${length}`).toMatch(
      /^The backup is damaged or incomplete at manifest\.json or after it\./,
    )
  for (const share of [1 - 1 / length, 1 - 72 / length, 1 - 73 / length])
    expect(await problemOf(await truncated(file, share))).toMatch(/damaged or incomplete/)
  const longer = Buffer.concat([readFileSync(file), Buffer.from('\n')])
  expect(await problemOf(await written(longer))).toMatch(/damaged or incomplete/)
})

test('a manifest that is damaged is blamed, not the part that it describes', async () => {
  const { file } = await setUp()
  const hash = describeFile('', pictureBytes).sha256
  const path = await damaged(file, {
    [manifestFile]: (bytes) => Buffer.from(bytes.toString().replace(hash, hash.replace(/^./, '_'))),
  })
  await expect(verifyBackup(path)).rejects.toThrow(`damaged: pictures/${picture}`)
  const bytes = readFileSync(path)
  // Its hash in the seal is that of the manifest as it was.
  const seal = readFileSync(file).subarray(-72)
  bytes.set(seal, bytes.length - 72)
  await expect(verifyBackup(await written(bytes))).rejects.toThrow(`damaged: ${manifestFile} differs`)
})

test('a backup of a version before the seal restores', async () => {
  const { file } = await setUp()
  const sealed = await rewrite(file, (_, manifest) => Reflect.deleteProperty(manifest, 'sealed'))
  const bytes = readFileSync(sealed)
  const target = configOf(await newDatabase())
  await restore(target, await written(bytes.subarray(0, -72)))
  expect(readFileSync(join(target.dataDir, 'images', picture))).toEqual(pictureBytes)
})

test('a backup that cannot be written says why, and leaves nothing', async () => {
  const { config } = await setUp()
  const folder = emptyFolder()
  mkdirSync(join(folder, 'taken.part'))
  writeFileSync(join(folder, 'file'), '')
  for (const [file, problem] of [
    [join(folder, 'file', 'backup'), 'not a directory (ENOTDIR)'],
    [join(folder, 'taken'), 'illegal operation on a directory (ERR_FS_EISDIR)'],
    [join(folder, 'x'.repeat(251)), 'name too long (ENAMETOOLONG)'],
    // Where nobody can create a file.
    ['/proc/backup', 'no such file or directory (ENOENT)'],
  ] as const)
    await expect(backUp(config, { file })).rejects.toThrow(`Cannot write to ${file}: ${problem}.`)

  const file = join(folder, 'backup')
  limitFiles('100000')
  try {
    await expect(backUp(config, { file })).rejects.toThrow(`Cannot write to ${file}: file too large (EFBIG).`)
  } finally {
    limitFiles('unlimited')
  }
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken.part'])
})

/** The soft limit of the size of files that this process writes, in bytes. */
function limitFiles(size: string) {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`])
}

test('a restore that fails leaves an empty database, no pictures and no secret', async () => {
  const { file } = await setUp()
  const empty = { rows: 0, checksum: '0'.repeat(24) }
  const withoutUsers = await rewrite(file, (content, { tables }) => {
    for (const name of content.keys()) if (name.startsWith('tables/public.users/')) content.delete(name)
    Object.assign(tables.find(({ name }) => name === 'public.users')!, empty)
  })
  const target = configOf(await newDatabase())
  await expect(restore(target, withoutUsers)).rejects.toThrow(/violates foreign key/)
  await expectNothingRestored(target)
  await restore(target, file)
})

test('a backup is restored only into an unused database, beside no running shop and no other secret', async () => {
  const { config, file } = await setUp()
  await expect(restore(config, file)).rejects.toThrow('DATABASE_URL: a shop is running on this database.')

  const { url } = config.database as { url: string }
  const copy = configOf(await newDatabase())
  await restore(copy, file)
  await expect(restore(copy, file)).rejects.toThrow(
    /^DATABASE_URL: the target is not empty: its table \S+ has rows\. Use a new database\.$/,
  )

  const other = configOf(await newDatabase())
  readSecret(other.dataDir)
  await expect(restore(other, file)).rejects.toThrow('has the secret of another shop.')
  await expect(backUp({ ...other, database: { kind: 'server', url } }, {})).rejects.toThrow(
    'does not have the secret of this database.',
  )
  await expect(backUp(config, { file })).rejects.toThrow('already exists.')
})

test('a backup of an older version is restored and then migrated', async () => {
  const config = configOf(await newDatabase())
  const { url } = config.database as { url: string }
  const names = Object.keys(migrationFiles)
    .map((path) => path.split('/').pop()!)
    .sort()
  const older = names.filter((name) => name < '0041')
  const connection = await connectInBulk(url)
  await migrate(connection.run, () => {}, { only: new Set(older) })
  await connection.run(`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
    available_quantity, per_unit_price, created_at) values ('1', 'Chain', 's', 'd', 'i', 'b', 'c', 1, 7, 1, now())`)
  // The name that the file once had.
  await connection.run(
    `update migrations set name = '0039_place_orders.sql' where name = '0040_place_orders.sql'`,
  )
  await connection.close()
  readSecret(config.dataDir)
  const file = join(emptyFolder(), 'older.tar.zst')
  expect((await backUp(config, { file }))!.manifest.migrations).toEqual(older)

  const target = configOf(await newDatabase())
  await restore(target, file)
  const { migrations, functions, tables } = await inspect((target.database as { url: string }).url)
  expect(migrations).toEqual(names)
  expect(functions.map(({ name }) => name).sort()).toEqual([...currentFunctions.texts.keys()])
  expect(tables['public.opening_stock']).toMatchObject({ rows: 1 })
  await expect(restore(configOf(await emptyShop()), file)).rejects.toThrow(
    /^DATABASE_URL: the target’s empty tables have the migration \S+, which is later/,
  )
})

test('a backup connects with the TLS that the address asks for, and says in one line what is wrong with it', async () => {
  const url = await newDatabase()
  await expect(backUp(configOf(`${url}?sslmode=require`), {})).rejects.toThrow(
    'DATABASE_URL: the server does not offer TLS.',
  )
  await expect(backUp(configOf(`${url}_gone`), {})).rejects.toThrow(
    'DATABASE_URL: the server has no database',
  )
})

/** Of this version. */
async function emptyShop() {
  const url = await newDatabase()
  await openDatabase({ kind: 'server', url }).then(({ close }) => close())
  return url
}

test('move-data refuses a target before it writes a backup, and names --to', async () => {
  const { file, config: used } = await setUp()
  const [DATA_DIR, other] = [emptyFolder(), emptyFolder()]
  const config = readConfig({ DATA_DIR })
  await restore(config, file)
  const { url } = used.database as { url: string }
  const free = await newDatabase()
  for (const [to, problem] of [
    [url, /^--to: (a shop is running on this database|the target is not empty: its table \S+ has rows)\./],
    [`${free}_gone`, /^--to: the server has no database/],
    [`${free}?sslmode=never`, /^--to: sslmode must be/],
    ['postgres://127.0.0.1:1/shop', /^--to: cannot connect to the database \(ECONNREFUSED\)/],
  ] as const)
    await expect(moveData(config, to), to).rejects.toThrow(problem)
  await expect(moveData(readConfig({ DATA_DIR: other }), free)).rejects.toThrow(
    /^DATA_DIR: .* has no database/,
  )
  expect(readdirSync(other)).toEqual([])
  expect(existsSync(join(DATA_DIR, 'backups'))).toBe(false)
})

test('a scheduled backup is made when it is due, and the oldest go only then', async () => {
  const { config } = await setUp()
  const backups = { folder: join(config.dataDir, 'backups'), everyHours: 24, keep: 2 }
  const [recent, old, oldest] = [23, 30, 50].map((hours) =>
    backupName(new Date(Date.now() - hours * 3_600_000)),
  )
  mkdirSync(backups.folder)
  const names = () => readdirSync(backups.folder).sort()
  for (const name of [recent!, old!, oldest!, 'mine.tar.zst', `${old}.part`])
    writeFileSync(join(backups.folder, name), '')
  expect(await backUp({ ...config, backups }, { scheduled: true })).toBe(null)
  expect(names()).toContain(oldest)

  const hourly = { ...backups, everyHours: 1 }
  const unreadable = { ...config, backups: hourly, dataDir: emptyFolder() }
  await expect(backUp(unreadable, { scheduled: true })).rejects.toThrow('DATA_DIR')
  expect(names()).toContain(oldest)

  await backUp({ ...config, backups: hourly }, { scheduled: true })
  const newest = (await lastBackupAt(backups.folder))!
  expect(Date.now() - newest.getTime()).toBeLessThan(3_600_000)
  expect(names()).toEqual(['mine.tar.zst', recent, backupName(newest)].sort())
})
