import type { PGlite, PGliteOptions } from '@electric-sql/pglite'

/** Of `dataDir`, or of a dump in memory. */
export async function startEngine(options: PGliteOptions & { dataDir: string }): Promise<PGlite> {
  // Shops on a server do not need it.
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ])
  return PGlite.create({
    ...options,
    // Required to open existing data folders.
    extensions: { pg_trgm },
    // -F disables fsync: remove it, so that the WAL is flushed as far as the embedded engine can.
    startParams: [
      ...PGlite.defaultStartParams.filter((flag) => flag !== '-F'),
      '-c',
      'wal_sync_method=open_datasync',
    ],
  })
}

/** The answer to messages of the Postgres wire protocol, in memory of its own. */
export async function readAnswer(engine: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  // The engine reuses the memory of its answers, and drops what is thrown while it calls.
  await engine.execProtocolRawStream(message, { onRawData: (bytes) => parts.push(bytes.slice()) })
  const answer = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    answer.set(part, at)
    at += part.length
  }
  return answer
}
