import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a dump of a migrated, empty database; absent in the Postgres project. */
    embeddedDump?: string
  }
}

/** Vitest global setup. Loading a dump takes a fraction of a second, creating a database several seconds. */
export default async function setup(project: TestProject) {
  const engine = await PGlite.create({ extensions: { pg_trgm } })
  await migrate(async (script) => (await engine.exec(script)).at(-1)?.rows as [])
  const dump = await engine.dumpDataDir('none')
  await engine.close()
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-embedded-'))
  const file = join(folder, 'dump.tar')
  writeFileSync(file, await dump.bytes())
  project.provide('embeddedDump', file)
  return () => rmSync(folder, { recursive: true, force: true })
}
