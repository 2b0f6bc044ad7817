import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { orderCounter, type Queries, shopSettings, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { listDeliveryAndTax } from '#shop/charges/describe-rates.ts'
import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { changedMeanwhile, type Fields, ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import {
  type Section,
  type SettingsChange,
  type ShopSettings,
  type StoredSettings,
  sectionLabels,
  sectionNames,
} from './settings.ts'

type Values = Record<string, unknown>

/**
 * From memory, which is forgotten when they change. In a transaction, `db` is its own. What money depends on is read from the table
 * instead.
 */
export function readSettings(shop: Pick<Shop, 'settings'>, db?: Queries): Promise<ShopSettings> {
  return shop.settings.read(db)
}

/** From the table, for those who change them. */
export async function readStoredSettings({ db, settings: memory }: Pick<Shop, 'db' | 'settings'>) {
  const rows = await db
    .select({ row: shopSettings, changedBy: users.name })
    .from(shopSettings)
    .leftJoin(users, eq(users._id, shopSettings.changedBy))
  const saved = new Map(rows.map(({ row, changedBy }) => [row.section, { ...row, changedBy }]))
  const entries = sectionNames.map((section) => {
    const { value = {}, version = 0, changedAt = null, changedBy = null } = saved.get(section) ?? {}
    return [section, { value: { ...memory.defaults[section], ...value }, version, changedAt, changedBy }]
  })
  return Object.fromEntries(entries) as StoredSettings
}

/** Throws 'conflict' when the section is not as it was read; the error has the newer value at each field that differs. */
export async function updateSettings(
  { db, settings: memory }: Pick<Shop, 'db' | 'settings'>,
  admin: Actor,
  { section, version, ...value }: SettingsChange,
): Promise<{ version: number }> {
  const changed = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(shopSettings).where(eq(shopSettings.section, section)).for('update')
    const before: Values = { ...memory.defaults[section], ...row?.value }
    if (version !== (row?.version ?? 0)) throw changedError(before, value)
    const after = section === 'numbers' ? await keepFormerPrefix(tx, before, value) : value
    // That delivery is free and no tax is charged is decided by saving it.
    const isDecision = section === 'deliveryAndTax' && !row
    if (!isDecision && isDeepStrictEqual(before, { ...before, ...after })) return version
    const next = {
      value: after,
      version: version + 1,
      changedBy: admin._id,
      changedAt: new Date().toISOString(),
    }
    const [saved] = await tx
      .insert(shopSettings)
      .values({ section, ...next })
      .onConflictDoUpdate({
        target: shopSettings.section,
        set: next,
        setWhere: eq(shopSettings.version, version),
      })
      .returning()
    // Another admin was the first to save it.
    if (!saved) throw changedError(await readValue(tx, section), value)
    await recordChange(tx, admin, {
      action: 'updateSettings',
      kind: 'settings',
      id: section,
      subject: sectionLabels[section],
      ...listValues(section, isDecision ? null : before, { ...before, ...after }),
    })
    return next.version
  })
  memory.forget([{ kind: 'content' }])
  await memory.read()
  return { version: changed }
}

async function readValue(tx: Queries, section: Section): Promise<Values> {
  const [row] = await tx.select().from(shopSettings).where(eq(shopSettings.section, section))
  return row!.value
}

/** Numbers that were given out keep their prefix. The counter stays locked, so that no order gets the former one meanwhile. */
async function keepFormerPrefix(tx: Queries, before: Values, after: Values): Promise<Values> {
  const { order, former } = before as unknown as ShopSettings['numbers']
  if (order === after.order) return { ...after, former }
  const [counter] = await tx
    .insert(orderCounter)
    .values({ lastNumber: 1000 })
    .onConflictDoUpdate({ target: orderCounter.one, set: { lastNumber: sql`${orderCounter.lastNumber}` } })
    .returning()
  return { ...after, former: [...former, { prefix: order, until: counter!.lastNumber }] }
}

function changedError(now: Values, sent: Values) {
  const names = Object.keys(sent).filter((name) => !isDeepStrictEqual(sent[name], now[name]))
  const fields: Fields = Object.fromEntries(
    names.map((name) => {
      const value = now[name]
      return [name, [changedMeanwhile(typeof value === 'object' ? null : String(value ?? ''))]]
    }),
  )
  return new ShopError('conflict', changedMeanwhile(), { fields })
}

/** The audit log shows values by one name each; what is gone has none. Null is what nobody had decided. */
function listValues(section: Section, before: Values | null, after: Values) {
  const list = (value: Values) =>
    section === 'deliveryAndTax' ? listDeliveryAndTax(value as unknown as DeliveryAndTax) : flatten(value)
  if (before === null) return { before: undecided, after: list(after) }
  const [listed, now] = [list(before), list(after)]
  const gone = Object.keys(listed).filter((name) => !(name in now))
  return { before: listed, after: { ...now, ...Object.fromEntries(gone.map((name) => [name, null])) } }
}

const undecided: Values = { Delivery: 'not decided', Tax: 'not decided' }

function flatten(value: Values): Values {
  const entries = Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).map(([key, text]) => [`${name} ${key}`, text])
      : [[name, inner]],
  )
  return Object.fromEntries(entries.filter(([name]) => name !== 'former'))
}
