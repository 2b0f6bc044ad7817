import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Change, ChangeListener } from './changes.ts'

const channel = 'winged_wheels_changes'
const publishEveryMs = 20
const reconnectMs = 1_000
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
  let unpublished: Change[] = []
  let isPublishing = false

  async function connect() {
    const opened = new pg.Client({ connectionString: url, application_name: 'winged-wheels changes' })
    const onLost = () => {
      if (client !== opened) return
      client = null
      if (!isClosed) reconnect()
    }
    opened.on('error', onLost)
    opened.on('end', onLost)
    opened.on('notification', ({ processId, payload }) => {
      if (processId !== backendOf(opened)) onChange(parse(payload))
    })
    await opened.connect()
    await opened.query(`listen ${channel}`)
    client = opened
    publishAll()
  }

  async function reconnect() {
    while (!client && !isClosed) {
      await wait(reconnectMs, undefined, { ref: false })
      await connect().then(
        () => onChange(everything),
        () => {},
      )
    }
  }

  async function publishAll() {
    if (isPublishing) return
    isPublishing = true
    while (unpublished.length > 0 && client) {
      const changes = unpublished
      unpublished = []
      await client.query('select pg_notify($1, $2)', [channel, format(changes)]).catch(() => {
        unpublished = everything
      })
      await wait(publishEveryMs, undefined, { ref: false })
    }
    isPublishing = false
  }

  await connect()
  return {
    isConnected: () => client !== null,
    publish(changes: Change[]) {
      unpublished = client ? [...unpublished, ...changes] : everything
      publishAll()
    },
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}

function backendOf(client: pg.Client) {
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
