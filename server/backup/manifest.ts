import { z } from 'zod'
import { digestRows } from '#db/bulk/tables.ts'
import { knownMigrations } from '#db/migrate.ts'
import { StartupError } from '#db/startup-error.ts'
import { type ArchivedFile, describeFile, readArchive } from './archive.ts'

/** Of this form of the file; raised when older versions of the shop could not restore it. */
const format = 1

const schema = z.object({
  format: z.literal(format),
  /** Of the shop. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  engine: z.enum(['postgres', 'embedded']),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.string(), rows: z.int(), checksum: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.int() })),
  /** In their order, without this one. */
  files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
})
export type Manifest = Omit<z.output<typeof schema>, 'format'>

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
  return Buffer.from(JSON.stringify({ format, ...manifest }, null, 2))
}

/** Reads the whole file. Throws StartupError for a newer version's, and for a damaged one, whose first bad part it names. */
export async function verifyBackup(path: string): Promise<Manifest & { secret: Buffer }> {
  const files: ArchivedFile[] = []
  const digests = new Map<string, ReturnType<typeof digestRows>>()
  let manifest: Manifest | null = null
  let secret: Buffer | null = null
  for await (const { name, bytes } of readArchive(path)) {
    if (name === manifestFile) {
      manifest = parseManifest(bytes)
      continue
    }
    files.push(describeFile(name, bytes))
    if (name === secretFile) secret = Buffer.from(bytes.toString(), 'hex')
    const table = tableIn(name)
    if (!table) continue
    const digest = digests.get(table) ?? digestRows()
    digests.set(table, digest)
    digest.add(bytes)
  }
  if (!manifest || !secret)
    throw new StartupError(`${path} is not a backup of a shop: it has no ${manifestFile}.`)

  const damaged =
    manifest.files.find((file, i) => !isSame(file, files[i]))?.name ?? files[manifest.files.length]?.name
  if (damaged) throw damageTo(damaged)
  const empty = digestRows().result()
  for (const table of manifest.tables) {
    const { rows, checksum } = digests.get(table.name)?.result() ?? empty
    if (rows !== table.rows || checksum !== table.checksum) throw damageTo(`the rows of ${table.name}`)
  }
  return { ...manifest, secret }
}

function parseManifest(bytes: Buffer): Manifest {
  let content: unknown
  try {
    content = JSON.parse(bytes.toString())
  } catch {
    throw damageTo(manifestFile)
  }
  const made = z.object({ format: z.int(), migrations: z.array(z.string()) }).safeParse(content)
  if (!made.success) throw damageTo(manifestFile)
  const unknown = made.data.migrations.find((name) => !knownMigrations.includes(name))
  if (made.data.format > format || unknown)
    throw new StartupError(
      `The backup was made by a newer version of the shop${unknown ? ` (it has the migration ${unknown})` : ''}. Restore it with that version.`,
    )
  const result = schema.safeParse(content)
  if (!result.success) throw damageTo(manifestFile)
  return result.data
}

function isSame(one: ArchivedFile, other?: ArchivedFile) {
  return one.name === other?.name && one.size === other.size && one.sha256 === other.sha256
}

function damageTo(part: string) {
  return new StartupError(`The backup is damaged: ${part} differs from the manifest. Use another backup.`)
}
