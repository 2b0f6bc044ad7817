import { openAsBlob } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { ReportProgress } from '#db/migrate.ts'
import { parts, pictures, reviews, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { demoDrawing } from '#db/seed/drawings.ts'
import { dataSheet, demoInterfaces } from '#db/seed/interfaces.ts'
import { type DemoPart, demoParts, picturePaths } from '#db/seed/parts.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import { StartupError } from '#db/startup-error.ts'
import type { EmbeddedIdentity } from '#providers/identity/embedded.ts'
import { printInterface } from '#shop/fit/notation.ts'
import { type InterfaceToWrite, writeInterfaces } from '#shop/fit/part-interfaces.server.ts'
import { makeFitPart } from '#shop/fit/stated.ts'
import type { Shop } from '#shop/ports.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import { seedDrawing, seedModels } from './seed-models.ts'
import { seedSpecifications } from './seed-specifications.ts'

/** Seeds an empty shop. Safe to run concurrently and to repeat after a crash. */
export async function seedDemo(
  shop: Shop,
  register: EmbeddedIdentity['register'] | null,
  report: ReportProgress = () => {},
) {
  if (register) await seedAccounts(shop, register)
  if ((await shop.db.$count(parts)) > 0) return

  report(`Adding the demo’s ${demoParts.length} parts …`)
  // An image host's pictures are encoded, and none may wait too long for the others.
  const inTurn = pLimit(4)
  const partsWithPictures = await Promise.all(demoParts.map(storePictures))
  const drawing = await store(demoDrawing.file)
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1993)`)
    if ((await tx.$count(parts)) > 0) return
    await tx
      .insert(pictures)
      .values(
        [...partsWithPictures.flatMap(({ image, views }) => [image, ...views]), drawing].map((url) => ({
          url,
        })),
      )
      .onConflictDoNothing()
    const rows = await tx.insert(parts).values(partsWithPictures).returning()
    await seedSpecifications(tx, rows)
    await writeInterfaces(tx, rows.flatMap(listDemoInterfaces))
    await tx.insert(reviews).values(demoReviews)
    await seedModels(tx, rows)
    await seedDrawing(tx, rows, drawing)
  })

  async function storePictures({ photo, ...part }: DemoPart) {
    const [image, ...views] = await Promise.all(picturePaths(photo).map(store))
    return { ...part, image: image!, views }
  }

  function store(file: string) {
    return inTurn(async () => {
      const url = await shop.images.store(await openAsBlob(file), { trusted: true }).catch((error) => {
        throw new StartupError(`The demo’s pictures could not be stored. ${error.message}`)
      })
      report()
      return url
    })
  }
}

function listDemoInterfaces({
  _id: partId,
  partNumber,
}: {
  _id: string
  partNumber: string
}): InterfaceToWrite[] {
  const stated = makeFitPart(partNumber, demoInterfaces[partNumber] ?? [], dataSheet)
  return stated.interfaces.map((one) => ({ ...one, partId, interface: printInterface(one) }))
}

async function seedAccounts({ db }: Shop, register: EmbeddedIdentity['register']) {
  for (const [role, person] of [
    ['admin', demoAdmin],
    ['customer', demoCustomer],
  ] as const) {
    const [existing] = await db.select().from(users).where(eq(users.email, person.email))
    const { email, name } = person
    // For demos created before email addresses were confirmed.
    if (existing) {
      await markConfirmed(db, email)
      continue
    }
    const account = await register(person)
    const emailConfirmedAt = new Date().toISOString()
    await db
      .insert(users)
      .values({ ...account, email, name, role, emailConfirmedAt })
      .onConflictDoNothing()
  }
}
