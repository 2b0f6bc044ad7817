import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditLog, taxCertificates, users } from '#db/schema.ts'
import { claimUnconfirmed } from '#shop/users/claim.server.ts'
import { homeRates, withRates } from '#test/charges.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'

const pdf = Buffer.from('%PDF-1.7 a certificate')
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('IHDR'),
])
const oregon = { country: 'US', region: 'OR', number: 'R-1992', until: '2099-03-03' }

async function setup() {
  const shop = withRates(await testShop(), homeRates, 'US')
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  const boss = await createUser(shop, 'Boss', 'admin')
  const [client, stranger, admin] = [
    await clientOf(shop, ada),
    await clientOf(shop, bob),
    await clientOf(shop, boss),
  ]
  const params = { email: ada.email }
  const digest = async () => (await client.readTaxStatus({ params })).digest
  const update = async (exemption: typeof oregon | null) =>
    client.updateTaxStatus({ params, body: { digest: await digest(), exemption } })
  const add = async (name = 'certificate.pdf', bytes = pdf) =>
    client.addCertificate({
      body: { digest: await digest(), name, data: bytes.toString('base64') },
    })
  const decide = async (decision: 'confirm' | 'decline') =>
    admin.decideTaxStatus({
      params: { id: ada._id },
      body: { digest: await digest(), proof: 'exemption', decision, reason: 'Not readable.' },
    })
  const listNames = async () =>
    (await admin.readCustomer({ params: { id: ada._id } })).taxStatus.files.map(({ name }) => name)
  return { shop, ada, bob, client, stranger, admin, params, update, add, decide, listNames }
}

test('a certificate is downloaded as it was added, by its owner and admins alone', async () => {
  const { client, stranger, admin, params, update, add } = await setup()
  await expect(add()).rejects.toMatchObject({ status: 409 })
  await update(oregon)
  expect((await add()).exemption!.file).toEqual({ name: 'certificate.pdf', size: pdf.length })
  for (const reader of [client, admin]) {
    const file = await reader.downloadCertificate({ params })
    expect([file.name, file.type]).toEqual(['certificate.pdf', 'application/pdf'])
    expect(Buffer.from(await file.arrayBuffer())).toEqual(pdf)
  }
  await expect(stranger.downloadCertificate({ params })).rejects.toMatchObject({ status: 403 })
})

test('nobody gets the file of another customer by its id', async () => {
  const { shop, bob, client, stranger, params, update, add } = await setup()
  await update(oregon)
  await add()
  const [row] = await shop.db.select().from(taxCertificates)
  const body = { file: row!._id }
  const own = { email: bob.email }
  await expect(stranger.downloadCertificate({ params: own, body })).rejects.toMatchObject({ status: 404 })
  expect((await client.downloadCertificate({ params, body })).size).toBe(pdf.length)
})

test('a file that is not what its name says is refused, and one of another kind', async () => {
  const { update, add } = await setup()
  await update(oregon)
  const isNot = 'This file isn’t what its name says. Choose a PDF, JPEG or PNG file.'
  await expect(add('scan.png', pdf)).rejects.toMatchObject({ status: 400, fields: { data: [isNot] } })
  await expect(add('scan.pdf', Buffer.from('<html>'))).rejects.toMatchObject({ fields: { data: [isNot] } })
  await expect(add('scan.svg', png)).rejects.toMatchObject({
    fields: { data: ['Choose a PDF, JPEG or PNG file.'] },
  })
  expect((await add('Scan.PNG', png)).exemption!.file).toMatchObject({ name: 'Scan.PNG' })
})

test('what nobody has confirmed is replaced and removed, and a declined certificate waits again', async () => {
  const { client, params, update, add, decide, listNames } = await setup()
  await update(oregon)
  await add('first.pdf')
  await decide('decline')
  await add('second.png', png)
  expect((await client.readTaxStatus({ params })).exemption).toMatchObject({
    state: 'unchecked',
    file: { name: 'second.png' },
  })
  expect(await listNames()).toEqual(['second.png'])
  // A typing error.
  expect((await update({ ...oregon, number: 'R-1993' })).exemption!.file!.name).toBe('second.png')
  await update(null)
  expect(await listNames()).toEqual([])
})

test('what an admin has confirmed stays, also beside the certificate that follows', async () => {
  const { shop, admin, ada, update, add, decide, listNames, params } = await setup()
  await update(oregon)
  await decide('confirm')
  // Its file may follow.
  expect((await add('first.pdf')).exemption).toMatchObject({ state: 'checked', file: { name: 'first.pdf' } })
  await expect(add('second.pdf')).rejects.toMatchObject({ status: 409 })
  expect((await update({ ...oregon, until: '2100-03-03' })).exemption!.file).toBeNull()
  await add('second.pdf')
  await decide('confirm')
  await update(null)
  expect(await listNames()).toEqual(['second.pdf', 'first.pdf'])
  const [first] = await shop.db.select().from(taxCertificates).where(eq(taxCertificates.name, 'first.pdf'))
  expect((await admin.downloadCertificate({ params, body: { file: first!._id } })).size).toBe(pdf.length)
  const entries = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, ada._id))
  expect(entries.map(({ after }) => after?.file)).toEqual([undefined, 'second.pdf'])
})

test('whoever proves that an unconfirmed address is theirs does not get a stranger’s certificate', async () => {
  const { shop, ada, update, add } = await setup()
  await update(oregon)
  await add()
  await shop.db.update(users).set({ emailConfirmedAt: null }).where(eq(users._id, ada._id))
  await claimUnconfirmed(shop, { issuer: 'test', subject: 'Ada' })
  expect(await shop.db.select().from(taxCertificates)).toEqual([])
})
