import { openAsBlob } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { parts, pictures, reviews, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { type DemoPart, demoParts, picturesOf } from '#db/seed/parts.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import { StartupError } from '#db/startup-error.ts'
import type { EmbeddedIdentity } from '#providers/identity/embedded.ts'
import type { Shop } from '#shop/ports.ts'

/**
 * Fills an empty shop with the demo's accounts, where they can be made here, its parts and its reviews; a shop that has
 * any is left as it is. Several processes may do it at once, and one that was killed on the way is taken up by the next
 * start.
 */
export async function seedDemo(shop: Shop, identity: EmbeddedIdentity | null) {
  if (identity) await seedAccounts(shop, identity)
  if ((await shop.db.$count(parts)) > 0) return

  const photographed = await Promise.all(demoParts.map(photograph))
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1993)`)
    if ((await tx.$count(parts)) > 0) return
    await tx
      .insert(pictures)
      .values(photographed.flatMap(({ image, views }) => [image, ...views].map((url) => ({ url }))))
      .onConflictDoNothing()
    await tx.insert(parts).values(photographed)
    await tx.insert(reviews).values(demoReviews)
  })

  async function photograph({ photo, ...part }: DemoPart) {
    const [image, ...views] = await Promise.all(picturesOf(photo).map(store))
    return { ...part, image: image!, views }
  }

  /** Its variants are made when they are asked for: nobody waits for all of them. */
  async function store(file: string) {
    return shop.images.store(await openAsBlob(file), { trusted: true }).catch((error) => {
      throw new StartupError(`The demo's pictures cannot be kept. ${error.message}`)
    })
  }
}

async function seedAccounts({ db }: Shop, identity: EmbeddedIdentity) {
  for (const [role, person] of [
    ['admin', demoAdmin],
    ['customer', demoCustomer],
  ] as const) {
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
