import type { DatabaseLocation } from '#db/database.ts'
import { StartupError } from '#db/startup-error.ts'
import type { Settings } from './settings.ts'

/** Throws StartupError for what only a server can be. */
export function readDatabase(values: Settings): DatabaseLocation {
  const { DATABASE_URL, DATABASE_REPLICA_URL, DATABASE_CONNECTIONS, WORKERS, DATA_DIR } = values
  if (DATABASE_REPLICA_URL && !DATABASE_URL)
    throw new StartupError('DATABASE_URL: must be set when DATABASE_REPLICA_URL is set.')
  if (WORKERS > 1 && !DATABASE_URL)
    throw new StartupError(
      'WORKERS: the embedded database can be used by one process only. Set DATABASE_URL, or WORKERS=1.',
    )
  if (!DATABASE_URL) return { kind: 'folder', path: DATA_DIR }
  return {
    kind: 'server',
    url: DATABASE_URL,
    ...(DATABASE_REPLICA_URL && { replicaUrl: DATABASE_REPLICA_URL }),
    connections: DATABASE_CONNECTIONS,
    // One more while they are restarted.
    ...(WORKERS > 1 && { processes: WORKERS + 1 }),
  }
}
