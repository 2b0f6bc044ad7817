interface Prepared<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>
}

/** A query of drizzle-orm, before it runs. */
export interface Statement<Row> {
  prepare(name: string): Prepared<Row>
}

/** A statement whose text is made once, not for each request, and which runs on the database and in its transactions. */
export function prepareOnce<Db extends object, Row, Values extends Record<string, unknown>>(
  build: (db: Db) => Statement<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let prepared: Prepared<Row> | undefined
  return (db, values) => {
    // The connection names it (`statements.ts`).
    prepared ??= build(db).prepare('')
    const { client } = (db as unknown as { session: { client: unknown } }).session
    const own: Prepared<Row> = Object.assign(Object.create(prepared), { client })
    return own.execute(values)
  }
}
