import type { Queries } from '#db/schema.ts'
import type { Actor } from '#shop/audit/record.server.ts'
import type { PartDataColumn } from './part-data.ts'

export interface DataPart {
  _id: string
  name: string
  partNumber: string
  category: string
}

interface FactTexts {
  name: string
  value: string
  source: string
  /** Such as `2026-10-31`. */
  date: string
  note: string
}

/** As it stands in the file. */
export interface DataFact extends FactTexts {
  partId: string
}

/** A row of the file about a part that exists. Its date is a day or empty. */
export interface DataRow extends FactTexts {
  /** As spreadsheets number it. */
  row: number
  part: DataPart
}

export interface DataError {
  column: PartDataColumn
  message: string
}

export interface PlannedFact<Change> {
  /** None is written when there is one. */
  errors: DataError[]
  /** What `write` needs; null when the row changes nothing. Two plans that would do the same have the same as JSON. */
  change: Change | null
  does: 'add' | 'change' | 'remove' | 'nothing'
  /** For the preview. */
  changes: { column: PartDataColumn; before: string; after: string }[]
}

/** What a row of part data can be about. An empty value removes a fact; what the file does not name stays as it is. */
export interface DataKind<Change> {
  /** In the column Kind. */
  name: string
  /** Of these parts, in the order in which the part’s page shows them. */
  read(db: Queries, parts: DataPart[]): Promise<DataFact[]>
  /** One for each row, in the same order. */
  plan(db: Queries, rows: DataRow[]): Promise<PlannedFact<Change>[]>
  /** In the transaction of the import, in which the parts are locked; adds to the audit log. */
  write(tx: Queries, admin: Actor, changes: Change[]): Promise<void>
}

/** Whatever its changes are. */
export interface AnyDataKind extends Pick<DataKind<unknown>, 'name' | 'read'> {
  plan(db: Queries, rows: DataRow[]): Promise<KindPlan>
}

export interface KindPlan {
  facts: PlannedFact<unknown>[]
  /** Does what was planned. */
  write(tx: Queries, admin: Actor): Promise<void>
}

/** Only the kind itself sees what it has planned. */
export function hideChanges<Change>(kind: DataKind<Change>): AnyDataKind {
  return {
    name: kind.name,
    read: kind.read,
    async plan(db, rows) {
      const facts = await kind.plan(db, rows)
      const changes = facts.flatMap(({ change }) => (change === null ? [] : [change]))
      return {
        facts,
        async write(tx, admin) {
          if (changes.length > 0) await kind.write(tx, admin, changes)
        },
      }
    },
  }
}
