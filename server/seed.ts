import { eq, sql } from 'drizzle-orm'
import sharp, { type Sharp } from 'sharp'
import { parts, pictures, reviews, users } from '#db/schema.ts'
import { closeUp, closeUpFrame } from '#db/seed/drawings/drawing.ts'
import { type DemoPart, demoParts } from '#db/seed/parts.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import type { EmbeddedIdentity } from '#providers/identity/embedded.ts'
import type { Shop } from '#shop/ports.ts'

export const demoAccounts = [
  { email: 'admin@wingedwheels.example', password: 'demo-admin-1992', name: 'Demo Admin', role: 'admin' },
  {
    email: 'customer@wingedwheels.example',
    password: 'demo-customer-1992',
    name: 'Demo Customer',
    role: 'customer',
  },
] as const

/**
 * Fills an empty shop with the demo's accounts, where they can be made here, its parts and its reviews; a shop that has
 * any is left as it is. Several processes may do it at once, and one that was killed on the way is taken up by the next
 * start.
 */
export async function seedDemo(shop: Shop, identity: EmbeddedIdentity | null) {
  if (identity) await seedAccounts(shop, identity)
  if ((await shop.db.$count(parts)) > 0) return

  // Drawings are ours; whatever anybody uploads is never taken for one.
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
  // Two at a time, since each takes a core; all at once would take half a gigabyte of memory as well.
  const half = demoParts.length / 2
  const drawn = (await Promise.all([draw(demoParts.slice(0, half)), draw(demoParts.slice(half))])).flat()
  sharp.block({ operation: ['VipsForeignLoadSvg'] })
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1993)`)
    if ((await tx.$count(parts)) > 0) return
    await tx
      .insert(pictures)
      .values(drawn.flatMap(({ image, views }) => [image, ...views].map((url) => ({ url }))))
      .onConflictDoNothing()
    await tx.insert(parts).values(drawn)
    await tx.insert(reviews).values(demoReviews)
  })

  async function draw(some: DemoPart[]) {
    const drawn = []
    for (const { drawing, detail, ...part } of some) {
      const image = await store(sharp(Buffer.from(drawing)))
      const view = await store(sharp(Buffer.from(closeUp(drawing, detail))).extract(closeUpFrame))
      drawn.push({ ...part, image, views: [view] })
    }
    return drawn
  }

  async function store(picture: Sharp) {
    return shop.images.store(
      new Blob([new Uint8Array(await picture.png({ compressionLevel: 1 }).toBuffer())]),
    )
  }
}

async function seedAccounts({ db }: Shop, identity: EmbeddedIdentity) {
  for (const { role, ...person } of demoAccounts) {
    const [known] = await db.select().from(users).where(eq(users.email, person.email))
    if (known) continue
    const account = await identity.register(person)
    const { email, name } = person
    await db
      .insert(users)
      .values({ ...account, email, name, role })
      .onConflictDoNothing()
  }
}
