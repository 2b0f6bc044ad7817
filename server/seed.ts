import { existsSync, openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { ReportProgress } from '#db/migrate.ts'
import { drawings, hotspots, partModels, parts, pictures, type Queries, reviews, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { demoDrawing } from '#db/seed/drawings.ts'
import { type DemoPart, demoParts, modelPath, picturePaths } from '#db/seed/parts.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import { StartupError } from '#db/startup-error.ts'
import type { EmbeddedIdentity } from '#providers/identity/embedded.ts'
import { readGltf } from '#shop/models/check-model.server.ts'
import { countTriangles } from '#shop/models/model-problems.ts'
import { describeFile } from '#shop/models/models.server.ts'
import type { Shop } from '#shop/ports.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'

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
  const drawingPicture = await store(demoDrawing.file)
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1993)`)
    if ((await tx.$count(parts)) > 0) return
    await tx
      .insert(pictures)
      .values([...listSeeded(partsWithPictures), drawingPicture].map((url) => ({ url })))
      .onConflictDoNothing()
    await tx.insert(parts).values(partsWithPictures)
    await tx.insert(reviews).values(demoReviews)
    await seedModels(tx)
    await seedDrawing(tx, drawingPicture)
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

function listSeeded(seeded: { image: string; views: string[] }[]) {
  return seeded.flatMap(({ image, views }) => [image, ...views])
}

async function seedModels(tx: Queries) {
  const rows = await tx.select({ _id: parts._id, partNumber: parts.partNumber }).from(parts)
  for (const { _id, partNumber } of rows) {
    const path = modelPath(demoParts.find((part) => part.partNumber === partNumber)!.photo)
    if (!existsSync(path)) continue
    const file = new Uint8Array(await readFile(path))
    const triangles = countTriangles(readGltf(file))
    const uploadedAt = new Date().toISOString()
    await tx.insert(partModels).values({ partId: _id, file, ...describeFile(file), triangles, uploadedAt })
  }
}

async function seedDrawing(tx: Queries, image: string) {
  const { title, hotspots: spots } = demoDrawing
  const [drawing] = await tx
    .insert(drawings)
    .values({ title, image, changedAt: new Date().toISOString() })
    .returning({ _id: drawings._id })
  const rows = await tx.select({ _id: parts._id, partNumber: parts.partNumber }).from(parts)
  const idOf = (photo: string) => {
    const { partNumber } = demoParts.find((part) => part.photo === photo)!
    return rows.find((row) => row.partNumber === partNumber)!._id
  }
  await tx.insert(hotspots).values(
    spots.map(({ photo, ...place }, i) => ({
      drawingId: drawing!._id,
      number: i + 1,
      partId: idOf(photo),
      ...place,
    })),
  )
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
