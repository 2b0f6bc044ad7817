import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { maxDocumentBytes, maxDocuments } from './part-document.ts'

async function setup() {
  const shop = await testShop()
  const [boss, ada] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Ada')]
  const [admin, customer] = [await clientOf(shop, boss), await clientOf(shop, ada)]
  const { _id: part } = await createPart(shop, { partNumber: 'WW-1' })
  const params = { partId: part }
  const add = (file: Buffer, title = 'Mounting', to = part) =>
    admin.addPartDocument({ body: { part: to, kind: 'manual', title, file: file.toString('base64') } })
  const list = () => customer.listPartDocuments({ params })
  const download = async (id: string) => {
    const file = await customer.downloadPartDocument({ params: { partId: part, id } })
    return { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) }
  }
  return { admin, customer, part, params, add, list, download }
}

const pdf = makePdf(40)

/** Of that size, each byte another than its neighbours. */
function makePdf(size: number) {
  const bytes = Buffer.alloc(size, Buffer.from(Array.from({ length: 251 }, (_, i) => i)))
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF\n', size - 7)
  return bytes
}

test('a PDF is downloaded by anybody as it was added, until an admin deletes it', async () => {
  const { admin, part, add, list, download } = await setup()
  const added = await add(pdf, 'Mounting: “steps” 1–3')
  expect(await list()).toEqual([added])
  expect(added).toMatchObject({ kind: 'manual', title: 'Mounting: “steps” 1–3', size: 40 })
  expect(await download(added._id)).toEqual({
    name: 'WW-1-Mounting-steps-1-3.pdf',
    type: 'application/pdf',
    bytes: pdf,
  })
  const params = { partId: part, id: added._id }
  await expect(admin.deletePartDocument({ params: { ...params, partId: 'other' } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await admin.deletePartDocument({ params })).toEqual({ deletedCount: 1 })
  expect(await admin.deletePartDocument({ params })).toEqual({ deletedCount: 0 })
  expect(await list()).toEqual([])
  await expect(download(added._id)).rejects.toMatchObject({ status: 404 })
})

test('a PDF of 20 MB is sent in pieces that fit together, and one byte more is refused', async () => {
  const { add, list, download } = await setup()
  for (const size of [2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, maxDocumentBytes]) {
    const file = makePdf(size)
    const { _id } = await add(file)
    expect(Buffer.compare((await download(_id)).bytes, file)).toBe(0)
  }
  await expect(add(makePdf(maxDocumentBytes + 1))).rejects.toMatchObject({
    status: 413,
    fields: { file: ['Choose a PDF of at most 20 MB.'] },
  })
  await expect(add(makePdf(maxDocumentBytes + 4))).rejects.toMatchObject({
    status: 400,
    fields: { file: ['Choose a PDF of at most 20 MB.'] },
  })
  expect(await list()).toHaveLength(4)
})

// biome-ignore format: a table
const refused: [what: string, file: Buffer, because: RegExp][] = [
  ['a page',               Buffer.from('<!doctype html><script>alert(1)</script>'), /isn’t a PDF/],
  ['a picture',            Buffer.from([0xff, 0xd8, 0xff, 0xe0]),                   /isn’t a PDF/],
  ['a mark too far in',    Buffer.concat([Buffer.alloc(2_000, ' '), pdf]),          /isn’t a PDF/],
  ['a cut-off file',       pdf.subarray(0, 30),                                     /end of this PDF is missing/],
  ['much after its end',   Buffer.concat([pdf, Buffer.alloc(2_000, ' ')]),          /end of this PDF is missing/],
]

test('addPartDocument refuses what is no PDF, in words, and stores nothing', async () => {
  const { add, list } = await setup()
  for (const [what, file, because] of refused) {
    const error = await add(file).catch((failure) => failure)
    expect([error.status, error.fields.file?.[0]], what).toEqual([400, expect.stringMatching(because)])
  }
  expect(await list()).toEqual([])
})

test('a part has twenty documents at most, however many are added at once; only admins add them', async () => {
  const { part, customer, add, list } = await setup()
  const results = await Promise.allSettled(
    Array.from({ length: maxDocuments + 5 }, (_, i) => add(pdf, `${i}`)),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxDocuments)
  expect(await list()).toHaveLength(maxDocuments)
  await expect(add(pdf, 'Mounting', 'none')).rejects.toMatchObject({ status: 404 })
  const body = { part, kind: 'manual', title: 'Mounting', file: pdf.toString('base64') } as const
  await expect(customer.addPartDocument({ body })).rejects.toMatchObject({ status: 403 })
})
