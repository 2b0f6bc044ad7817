import { z } from 'zod'
import { digestRows } from '#db/bulk/tables.ts'
import { findUnknownFunction } from '#db/functions.ts'
import { knownMigrations } from '#db/migrate.ts'
import { StartupError } from '#db/startup-error.ts'
import { type ArchivedFile, checkSeal, damageAt, describeFile, readArchive } from './archive.ts'

/** Of this form of the file; raised when older versions of the shop could not restore it. */
const format = 1

/** Absent in files of older versions. */
const functions = z.array(z.object({ name: z.string(), checksum: z.string() })).default([])

const schema = z.object({
  format: z.literal(format),
  /** Absent in files of older versions, which end without a seal. */
  sealed: z.literal(true).optional(),
  /** Of the shop. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  engine: z.enum(['postgres', 'embedded']),
  migrations: z.array(z.string()),
  functions,
  tables: z.array(z.object({ name: z.string(), columns: z.string(), rows: z.int(), checksum: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.int() })),
  /** In their order, without this one. */
  files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
})
type Parsed = z.output<typeof schema>
export type Manifest = Omit<Parsed, 'format' | 'sealed'>

export const manifestFile = 'manifest.json'
export const secretFile = 'secret'
const [tableFolder, pictureFolder] = ['tables/', 'pictures/']

export function rowsFile(table: string, index: number) {
  return `${tableFolder}${table}/${String(index).padStart(6, '0')}.copy`
}

export function pictureFile(name: string) {
  return pictureFolder + name
}

/** The name of the table whose rows the file has. */
export function tableIn(file: string) {
  return file.startsWith(tableFolder) ? file.slice(tableFolder.length, file.lastIndexOf('/')) : null
}

export function pictureIn(file: string) {
  return file.startsWith(pictureFolder) ? file.slice(pictureFolder.length) : null
}

export function writeManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(JSON.stringify({ format, sealed: true, ...manifest }, null, 2))
}

/** Reads the whole file. Throws StartupError for a newer version's, and for one with any other byte, whose first bad part it names. */
export async function verifyBackup(path: string): Promise<Manifest & { secret: Buffer }> {
  const seal = await checkSeal(path)
  const { manifest: bytes, secret, failure, ...content } = await readContent(path)
  if (!bytes || !secret)
    throw failure ?? new StartupError(`${path} is not a backup of a shop: it has no ${manifestFile}.`)

  const isManifestIntact = !seal || describeFile(manifestFile, bytes).sha256 === seal.lastFile
  const manifest = parseManifest(bytes, { isDamaged: !isManifestIntact && !seal.isIntact })
  const damaged = findDamage(manifest, content)
  if (damaged) throw damageTo(isManifestIntact ? damaged : manifestFile)
  const isSealed = seal !== null || manifest.sealed
  if (failure || (isSealed && !seal?.isIntact)) throw damageAt(`${manifestFile} or after it`)
  return { ...manifest, secret }
}

/** Until the first failure. A file that zstd decodes wrongly is followed by others and by the manifest, which says which one it is. */
async function readContent(path: string) {
  const files: ArchivedFile[] = []
  const digests = new Map<string, ReturnType<typeof digestRows>>()
  const content = {
    files,
    digests,
    manifest: null as Buffer | null,
    secret: null as Buffer | null,
    failure: null as unknown,
  }
  try {
    for await (const { name, bytes } of readArchive(path)) {
      if (name === manifestFile) {
        content.manifest = bytes
        continue
      }
      files.push(describeFile(name, bytes))
      if (name === secretFile) content.secret = Buffer.from(bytes.toString(), 'hex')
      const table = tableIn(name)
      if (!table) continue
      const digest = digests.get(table) ?? digestRows()
      digests.set(table, digest)
      digest.add(bytes)
    }
  } catch (error) {
    content.failure = error
  }
  return content
}

function findDamage(
  manifest: Manifest,
  { files, digests }: Pick<Awaited<ReturnType<typeof readContent>>, 'files' | 'digests'>,
) {
  const file =
    manifest.files.find((file, i) => !isSame(file, files[i]))?.name ?? files[manifest.files.length]?.name
  if (file) return file
  const empty = digestRows().result()
  const table = manifest.tables.find(({ name, rows, checksum }) => {
    const found = digests.get(name)?.result() ?? empty
    return rows !== found.rows || checksum !== found.checksum
  })
  return table && `the rows of ${table.name}`
}

function parseManifest(bytes: Buffer, { isDamaged }: { isDamaged: boolean }): Parsed {
  let content: unknown
  try {
    content = JSON.parse(bytes.toString())
  } catch {
    throw damageTo(manifestFile)
  }
  const made = z.object({ format: z.int(), migrations: z.array(z.string()), functions }).safeParse(content)
  if (!made.success) throw damageTo(manifestFile)
  const newer = findNewerPart(made.data)
  if (isDamaged && newer) throw damageTo(manifestFile)
  if (newer)
    throw new StartupError(
      `The backup was made by a newer version of the shop (it has ${newer}). Restore it with that version.`,
    )
  const result = schema.safeParse(content)
  if (!result.success) throw damageTo(manifestFile)
  return result.data
}

function findNewerPart(made: Pick<Parsed, 'migrations' | 'functions'> & { format: number }) {
  const migration = made.migrations.find((name) => !knownMigrations.includes(name))
  if (migration) return `the migration ${migration}`
  const changed = findUnknownFunction(made.functions)
  if (changed) return `the function ${changed}`
  return made.format > format ? `format ${made.format}` : null
}

function isSame(one: ArchivedFile, other?: ArchivedFile) {
  return one.name === other?.name && one.size === other.size && one.sha256 === other.sha256
}

function damageTo(part: string) {
  return new StartupError(`The backup is damaged: ${part} differs from the manifest. Use another backup.`)
}
