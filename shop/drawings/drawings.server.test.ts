import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts, pictures } from '#db/schema.ts'
import { usedPictures } from '#shop/pictures/pictures.server.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { listDrawingsOf, readDrawingWithParts } from './drawings.server.ts'

const image = '/images/drawing.webp'

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const chain = await createPart(shop, { partNumber: 'WW-CN12' })
  const hub = await createPart(shop, { name: 'Hub', partNumber: 'WW-HR148' })
  await shop.db.insert(pictures).values({ url: image })
  const spot = (partNumber: string, quantity = 1) => ({ partNumber, x: 100, y: 1000, quantity })
  const body = { title: 'Drivetrain', image, hotspots: [spot('WW-CN12'), spot('ww hr148', 2)] }
  return { shop, admin, chain, hub, spot, body }
}

test('an admin adds a drawing, reorders its spots and deletes it', async () => {
  const { shop, admin, chain, hub, body } = await createScene()
  const { insertedId: id } = await admin.addDrawing({ body })
  const first = await admin.readDrawing({ params: { id } })
  expect(first).toMatchObject({ title: 'Drivetrain', revision: 1 })
  expect(first.hotspots).toMatchObject([
    { number: 1, partId: chain._id, quantity: 1, x: 100, y: 1000 },
    { number: 2, partId: hub._id, partNumber: 'WW-HR148', quantity: 2 },
  ])
  const change = { ...body, hotspots: body.hotspots.toReversed(), revision: 1 }
  await admin.updateDrawing({ params: { id }, body: change })
  const second = await admin.readDrawing({ params: { id } })
  expect(second.revision).toBe(2)
  expect(second.hotspots.map(({ partId }) => partId)).toEqual([hub._id, chain._id])
  expect(await admin.listDrawings()).toMatchObject([{ title: 'Drivetrain', parts: 2 }])
  expect(await listDrawingsOf(shop, hub._id)).toEqual([{ _id: id, title: 'Drivetrain' }])
  expect(await admin.deleteDrawing({ params: { id } })).toEqual({ deletedCount: 1 })
  expect(await admin.deleteDrawing({ params: { id } })).toEqual({ deletedCount: 0 })
  await expect(admin.readDrawing({ params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('updateDrawing refuses a drawing that another admin has changed meanwhile', async () => {
  const { admin, body } = await createScene()
  const { insertedId: id } = await admin.addDrawing({ body })
  const save = (title: string) =>
    admin.updateDrawing({ params: { id }, body: { ...body, title, revision: 1 } })
  await save('First')
  await expect(save('Second')).rejects.toMatchObject({ status: 409 })
  expect(await admin.readDrawing({ params: { id } })).toMatchObject({ title: 'First', revision: 2 })
})

test('addDrawing names the spots whose number no part has, and refuses pictures that were not uploaded', async () => {
  const { admin, body, spot } = await createScene()
  const unknown = admin.addDrawing({ body: { ...body, hotspots: [spot('WW-CN12'), spot('WW-NONE')] } })
  const message = 'No part has the number WW-NONE.'
  await expect(unknown).rejects.toMatchObject({ status: 400, fields: { 'hotspots.1.partNumber': [message] } })
  const foreign = admin.addDrawing({ body: { ...body, image: 'https://example.com/a.webp' } })
  await expect(foreign).rejects.toMatchObject({ status: 400, fields: { image: [expect.any(String)] } })
  expect(await admin.listDrawings()).toEqual([])
})

test('a drawing keeps its picture, and shows a deleted part without offering it', async () => {
  const { shop, admin, body, hub } = await createScene()
  const { insertedId: id } = await admin.addDrawing({ body })
  expect(await usedPictures(shop.db)).toContain(image)
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(eq(parts._id, hub._id))
  const read = await readDrawingWithParts(shop, id)
  expect(read.drawing.hotspots.map(({ deleted }) => deleted)).toEqual([false, true])
  expect(read.parts.map(({ name }) => name)).toEqual(['Chain'])
})
