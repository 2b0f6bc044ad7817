import { eq } from 'drizzle-orm'
import { orders, type Queries, shopSettings } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'
import { setCurrency } from '#shop/money.ts'

const section = 'currency'

/** Sets what the shop sells in. Throws StartupError when it has orders in another currency. */
export async function keepCurrency(db: Queries, code: string): Promise<void> {
  setCurrency(code)
  const [row] = await db.select().from(shopSettings).where(eq(shopSettings.section, section))
  const former = row?.value.code ?? 'USD'
  if (former === code) return
  const [order] = await db.select({ _id: orders._id }).from(orders).limit(1)
  if (order)
    throw new StartupError(
      `This shop has orders in ${former}, so its CURRENCY can’t be ${code}. Set it to ${former}.`,
    )
  const set = { value: { code }, version: 1, changedBy: 'start', changedAt: new Date().toISOString() }
  await db
    .insert(shopSettings)
    .values({ section, ...set })
    .onConflictDoUpdate({ target: shopSettings.section, set })
}
