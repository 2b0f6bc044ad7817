import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { parts, sheets } from '#db/schema.ts'
import { copyPdfText } from '#test/pdf.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { downloadSheet, readSheet } from './sheets.server.ts'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { _id: partId } = await createPart(shop, { name: 'Chain', weight: 252, category: 'Chains' })
  const { insertedId: attributeId } = await admin.addAttribute({
    body: { name: 'Speeds', kind: 'number', category: 'Chains' },
  })
  let before = ''
  const specify = async (value: string) => {
    await admin.updateSpecifications({
      params: { partId },
      body: { values: [{ attributeId, value, before }] },
    })
    before = value
  }
  const params = { partId }
  const read = async (revision?: string) => admin.readSheet({ params, body: { revision } })
  const change = (values: Partial<typeof parts.$inferInsert>) =>
    shop.db.update(parts).set(values).where(eq(parts._id, partId))
  return { shop, admin, partId, specify, params, read, change }
}

test('a sheet gets a revision for each change of what it says, and none for a sale', async () => {
  const { specify, read, change } = await setup()
  expect(await read()).toMatchObject({
    revision: 1,
    content: {
      facts: [
        ['Brand', 'Talon'],
        ['Category', 'Chains'],
        ['Weight', '252 g'],
      ],
    },
  })
  await change({ availableQuantity: 3, perUnitPrice: 99 })
  expect((await read()).revision).toBe(1)
  await specify('12')
  await change({ weight: 250 })
  const second = await read()
  expect(second).toMatchObject({
    revision: 2,
    content: { specifications: [{ name: 'Speeds', value: '12', source: '' }] },
    revisions: [{ revision: 2 }, { revision: 1 }],
  })
  expect(await read()).toEqual(second)
  // A change that is taken back is one, too: whoever has revision 2 must learn of it.
  await change({ weight: 252 })
  expect((await read()).revision).toBe(3)
})

test('older revisions keep their address and say what they said', async () => {
  const { partId, specify, read, change, admin, params } = await setup()
  const first = await read()
  await specify('12')
  expect((await read('1')).content).toEqual(first.content)
  await change({ name: 'Chain 2' })
  expect((await read('2')).content).toMatchObject({ name: 'Chain', specifications: [{ value: '12' }] })
  expect((await read()).content.name).toBe('Chain 2')
  for (const revision of ['4', '999999999'])
    await expect(read(revision)).rejects.toMatchObject({ status: 404 })
  for (const revision of ['0', '-1', '1.5', 'last', ''])
    await expect(read(revision)).rejects.toMatchObject({ status: 400 })
  await expect(admin.downloadSheet({ params: { partId, revision: 'x' } })).rejects.toMatchObject({
    status: 404,
  })
  await admin.deleteProduct({ params: { id: partId } })
  expect((await read()).revision).toBe(3)
  await expect(admin.readSheet({ params: { ...params, partId: 'none' }, body: {} })).rejects.toMatchObject({
    status: 404,
  })
})

test('twenty people who open a changed sheet at once get one revision', async () => {
  const { shop, partId, change } = await setup()
  await readSheet(shop, partId)
  await change({ weight: 1 })
  const opened = await Promise.all(Array.from({ length: 20 }, () => readSheet(shop, partId)))
  expect(new Set(opened.map(({ revision }) => revision))).toEqual(new Set([2]))
  expect(await shop.db.$count(sheets)).toBe(2)
})

test('the PDF has what the page has, its picture, and the same bytes each time', async () => {
  const { shop, admin, partId, specify, change } = await setup()
  await specify('12')
  const picture = sharp({ create: { width: 800, height: 600, channels: 3, background: '#c43c14' } })
  const image = await shop.images.store(new Blob([await picture.png().toBuffer()]))
  await change({ image })
  const download = async () => {
    const file = await admin.downloadSheet({ params: { partId, revision: '1' } })
    return { name: file.name, file, bytes: Buffer.from(await file.arrayBuffer()) }
  }
  await readSheet(shop, partId)
  const { name, file, bytes } = await download()
  expect(name).toMatch(/^specification-sheet-[\w-]+-revision-1\.pdf$/)
  const text = (await copyPdfText(file)).join(' ')
  for (const word of ['Specification sheet', 'Chain', 'Revision', 'Speeds', '12', 'Weight', '252 g'])
    expect(text).toContain(word)
  expect(bytes.includes('/DCTDecode')).toBe(true)
  const digest = (file: Buffer) => createHash('sha256').update(file).digest('hex')
  expect(digest((await download()).bytes)).toBe(digest(bytes))
  // A picture that cannot be read leaves a sheet without one.
  const broken = { ...shop, images: { ...shop.images, readJpeg: () => Promise.reject(new Error('away')) } }
  const plain = Buffer.from(await (await downloadSheet(broken, partId, '1')).arrayBuffer())
  expect(plain.includes('/DCTDecode')).toBe(false)
})
