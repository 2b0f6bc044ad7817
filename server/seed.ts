import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { parts, pictures, reviews, users } from '#db/schema.ts'
import { demoParts } from '#db/seed/parts.ts'
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

/** Fills an empty shop with the demo's accounts, parts and reviews; a shop that has any is left as it is. */
export async function seedDemo(shop: Shop, identity: EmbeddedIdentity) {
  for (const { role, ...person } of demoAccounts) {
    const [known] = await shop.db.select().from(users).where(eq(users.email, person.email))
    if (known) continue
    const { issuer, subject } = await identity.register(person)
    await shop.db.insert(users).values({ issuer, subject, email: person.email, name: person.name, role })
  }
  if ((await shop.db.$count(parts)) > 0) return

  const drawn: (typeof parts.$inferInsert)[] = []
  for (const { drawing, ...part } of demoParts) {
    const image = await shop.images.store(
      await sharp(Buffer.from(drawing)).png({ compressionLevel: 1 }).toBuffer(),
    )
    drawn.push({ ...part, image })
  }
  await shop.db.transaction(async (tx) => {
    await tx
      .insert(pictures)
      .values(drawn.map(({ image }) => ({ url: image })))
      .onConflictDoNothing()
    await tx.insert(parts).values(drawn)
    await tx.insert(reviews).values(demoReviews)
  })
}
