import type pg from 'pg'

/** What visitors see has changed: a part's stock alone, or anything else. Without a `partId`, of any part. */
export interface Change {
  kind: 'stock' | 'content'
  partId?: string | undefined
}

export type ChangeListener = (changes: Change[]) => void

/** Of the reports that triggers send (db/functions/report_part_change.sql). */
const reportCode = 'WW001'

/** Committed changes that connections of this process make, before the statement that commits them resolves. */
export function collectChanges() {
  const listeners = new Set<ChangeListener>()

  function watch(client: pg.PoolClient) {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    const pending: Change[] = []
    const report = () => {
      if (pending.length === 0) return
      const changes = pending.splice(0)
      for (const listener of listeners) listener(changes)
    }
    client.on('notice', ({ code, detail }) => {
      if (code === reportCode) pending.push(parseReport(detail ?? ''))
    })
    connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I') report()
    })
    // A transaction may have been committed although its connection was lost.
    client.on('end', report)
  }

  return {
    watch,
    subscribe(listener: ChangeListener) {
      listeners.add(listener)
    },
  }
}

function parseReport(detail: string): Change {
  const [kind, partId] = detail.split(' ', 2)
  return { kind: kind === 'stock' ? 'stock' : 'content', partId }
}
