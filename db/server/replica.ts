import { setTimeout as wait } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Change, ChangeListener, collectChanges } from '#db/changes.ts'
import { createPool } from '#db/driver/pool.ts'
import { type Database, schema } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'
import { log } from '#telemetry/log.ts'
import { sessionLimits } from './server.ts'
import { toServerAddress } from './server-address.ts'

/** How old may be what is read from the replica, apart from stock, which is shown again once the replica has it. */
const maxAgeMs = 1_000
const [checkEveryMs, pollEveryMs] = [300, 50]

/** Shorter than for the primary, which is asked instead. */
const connectMs = 2_000

interface Options {
  primary: pg.Pool
  connections: number
  changes: ReturnType<typeof collectChanges>
}

/** Throws StartupError for a server that does not follow the primary; one that does not answer may do so later. */
export async function openReplica(address: string, { primary, connections, changes }: Options) {
  const pool = createPool(() => {}, {
    connectionString: toServerAddress('DATABASE_REPLICA_URL', address),
    max: connections,
    connectionTimeoutMillis: connectMs,
    ...sessionLimits(connectMs),
    application_name: 'winged-wheels reader',
  })
  const reader = createReader({ primary, replica: pool })
  const isReplica = await reader.verify().catch((error: Error) => {
    log.error({ err: error }, 'DATABASE_REPLICA_URL: cannot connect to the replica')
    return null
  })
  if (isReplica === false) {
    await pool.end()
    throw new StartupError('DATABASE_REPLICA_URL: the server is not a replica of the one in DATABASE_URL.')
  }
  changes.subscribe(reader.note)
  reader.start()
  return {
    db: drizzle({ query: reader.query } as unknown as pg.Pool, { schema, casing: 'snake_case' }) as Database,
    note: reader.note,
    onReplayed: reader.onReplayed,
    replacesPrimary: reader.replacesPrimary,
    async close() {
      reader.stop()
      await pool.end()
    },
  }
}

/**
 * Reads from the replica while it has replayed the last change of content and all that was committed a second ago, from the primary
 * otherwise, and from the one that answers when the other does not.
 */
function createReader({ primary, replica }: { primary: pg.Pool; replica: pg.Pool }) {
  const stop = new AbortController()
  let currentUntil = 0
  let contentChanges = 0
  let unreplayed = new Map<string | undefined, Change>()
  let isVerified = false
  let isPrimaryAway = false
  let reportReplayed: ChangeListener = () => {}

  function note(changes: Change[]) {
    for (const change of changes) if (change.kind === 'stock') unreplayed.set(change.partId, change)
    if (!changes.some(({ kind }) => kind === 'content')) return
    contentChanges += 1
    currentUntil = 0
  }

  async function query(...args: Parameters<pg.Pool['query']>) {
    const isReplicaFirst = isVerified && (isPrimaryAway || performance.now() < currentUntil)
    const [first, second] = isReplicaFirst ? [replica, primary] : [primary, replica]
    try {
      return await first.query(...args)
    } catch (error) {
      if (!isVerified || !isUnreachable(error)) throw error
      return await second.query(...args)
    }
  }

  /** Returns false when the replica is too far behind, or none of this database. */
  async function waitForReplay(position: Position, until: number) {
    do {
      const progress = await readProgress(replica, position)
      isVerified = progress.isOfPrimary
      if (!isVerified || progress.isReplayed) return isVerified
      await wait(pollEveryMs)
    } while (performance.now() < until)
    return false
  }

  async function check() {
    const [startedAt, version, changes] = [performance.now(), contentChanges, unreplayed]
    unreplayed = new Map()
    const until = startedAt + maxAgeMs
    const reached = await readPosition(primary).catch(() => null)
    if (isPrimaryAway !== (reached === null)) logAnswer(reached !== null)
    isPrimaryAway = reached === null
    if (!reached || !(await waitForReplay(reached, until).catch(() => false))) {
      unreplayed = new Map([...changes, ...unreplayed])
      return
    }
    if (version === contentChanges) currentUntil = until
    if (changes.size > 0) reportReplayed([...changes.values()])
  }

  async function checkAll() {
    while (!stop.signal.aborted) {
      await check()
      await wait(checkEveryMs, undefined, { ref: false, signal: stop.signal }).catch(() => {})
    }
  }

  return {
    query,
    note,
    /** Whether the replica is one of the primary; rejects when it cannot be asked. */
    async verify(): Promise<boolean> {
      await waitForReplay(await readPosition(primary), 0)
      return isVerified
    },
    /** Calls the listener with changes of stock once the replica has replayed them. */
    onReplayed(listener: ChangeListener) {
      reportReplayed = listener
    },
    replacesPrimary: () => isVerified && isPrimaryAway,
    start: () => void checkAll(),
    stop: () => stop.abort(),
  }
}

function logAnswer(answers: boolean) {
  if (answers) log.info('DATABASE_URL: the database answers again')
  else
    log.error(
      'DATABASE_URL: the database does not answer. Pages come from the replica, and nobody can order.',
    )
}

interface Position {
  lsn: string
  /** Identifies the cluster: a replica has that of its primary. */
  system: string
}

async function readPosition(primary: pg.Pool): Promise<Position> {
  const { rows } = await primary.query({
    text: 'select pg_current_wal_insert_lsn() as lsn, (pg_control_system()).system_identifier::text as system',
    // Of a server that no longer answers.
    query_timeout: connectMs,
  } as pg.QueryConfig)
  return rows[0]
}

async function readProgress(replica: pg.Pool, { lsn, system }: Position) {
  const { rows } = await replica.query(
    `select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed, pg_is_in_recovery() as recovers,
      (pg_control_system()).system_identifier::text as system`,
    [lsn],
  )
  const { replayed, recovers, system: ofReplica } = rows[0]
  return { isOfPrimary: recovers && ofReplica === system, isReplayed: replayed === true }
}

/** Also when the replica cancels a query because of what it has to replay. */
function isUnreachable(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|57P0|53300|40001)/.test(code) ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered)/.test(message)
  )
}
