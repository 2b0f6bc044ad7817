import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Change, ChangeListener } from '#db/changes.ts'

const channel = 'winged_wheels_changes'
const publishEveryMs = 20
const [minPauseMs, maxPauseMs] = [1_000, 30_000]
const heartbeatMs = 1_000
const maxSilenceMs = 3_000
const heartbeat = 'heartbeat'
/** A notification of Postgres holds at most 8,000 bytes. */
const maxBytes = 7_900
const everything: Change[] = [{ kind: 'content' }]

/**
 * Exchanges changes with the other processes on a database server. While the connection is lost, `isConnected` is false; afterwards
 * everything counts as changed.
 */
export async function openChangeChannel(url: string, onChange: ChangeListener) {
  let client: pg.Client | null = null
  let isClosed = false
  let heardAt = 0
  let unpublished: Change[] = []
  let isPublishing = false

  async function connect() {
    const opened = createClient(url)
    const onLost = () => {
      if (client !== opened) return
      client = null
      if (!isClosed) reconnect()
    }
    opened.on('error', onLost)
    opened.on('end', onLost)
    opened.on('notification', ({ processId, payload }) => {
      if (processId === findBackend(opened)) heardAt = performance.now()
      else if (payload !== heartbeat) onChange(parse(payload))
    })
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
      await notify(opened, heartbeat)
    } catch (error) {
      await opened.end().catch(() => {})
      throw error
    }
    client = opened
    publishAll()
  }

  function checkConnection() {
    if (!client) return
    if (isHeard()) notify(client, heartbeat).catch(() => {})
    else destroy(client)
  }

  const isHeard = () => performance.now() - heardAt < maxSilenceMs

  async function reconnect() {
    for (let pause = minPauseMs; !client && !isClosed; pause = Math.min(2 * pause, maxPauseMs)) {
      await wait(pause, undefined, { ref: false })
      if (await succeeds(connect())) onChange(everything)
    }
  }

  async function publishAll() {
    if (isPublishing) return
    isPublishing = true
    while (unpublished.length > 0 && client) {
      const changes = unpublished
      unpublished = []
      const isPublished = await succeeds(notify(client, format(changes)))
      if (!isPublished) unpublished = everything
      await wait(isPublished ? publishEveryMs : minPauseMs, undefined, { ref: false })
    }
    isPublishing = false
  }

  await connect().catch(() => void reconnect())
  const timer = setInterval(checkConnection, heartbeatMs).unref()
  return {
    isConnected: () => client !== null && isHeard(),
    publish(changes: Change[]) {
      unpublished = client ? [...unpublished, ...changes] : everything
      publishAll()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await client?.end()
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

function createClient(url: string) {
  return new pg.Client({
    connectionString: url,
    application_name: 'winged-wheels changes',
    connectionTimeoutMillis: maxSilenceMs,
    query_timeout: maxSilenceMs,
  })
}

/** Comes back to the sender, too, unless its connection is dead or a pooler gave it to somebody else. */
function notify(client: pg.Client, payload: string) {
  return client.query('select pg_notify($1, $2)', [channel, payload])
}

/** A connection that no longer answers could not be ended. */
function destroy(client: pg.Client) {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

function findBackend(client: pg.Client) {
  return (client as unknown as { processID: number }).processID
}

function format(changes: Change[]) {
  const distinct = new Map(changes.map((change) => [`${change.kind} ${change.partId}`, change]))
  const text = JSON.stringify([...distinct.values()])
  return Buffer.byteLength(text) > maxBytes ? JSON.stringify(everything) : text
}

/** Anything else that somebody sends on the channel counts as a change of everything. */
function parse(payload = ''): Change[] {
  try {
    const changes: unknown = JSON.parse(payload)
    if (Array.isArray(changes) && changes.every(isChange)) return changes
  } catch {}
  return everything
}

function isChange(value: unknown): value is Change {
  const { kind, partId } = (value ?? {}) as Record<string, unknown>
  return (kind === 'stock' || kind === 'content') && (partId === undefined || typeof partId === 'string')
}
