import { partChange } from '#shop/parts/part.ts'
import { accessTokenOf, createSignedInClient, openSession } from '#test/process.ts'

export const delivery = { address: '4 Canal Street', phoneNumber: '01709876543' }

/** With a confirmed email: orders of others cost more statements. */
export async function registerBuyer(origin: string, email: string) {
  const account = { name: 'Ada Lund', email, password: 'Workshop-48-chains' }
  await openSession(origin, 'sign-up', account)
  const emails = await (await fetch(`${origin}/outbox.data?${new URLSearchParams({ q: email })}`)).text()
  const [, confirmation] = /\/confirm-email\?token=([\w-]+)/.exec(emails) ?? []
  const client = await createSignedInClient(origin, account)
  await client.confirmEmail({ params: { email }, body: { token: confirmation! } })
  return { token: await accessTokenOf(origin, account), client }
}

/** Gives the first parts of the catalogue this stock and minimum quantity. */
export async function stockParts(
  admin: Awaited<ReturnType<typeof createSignedInClient>>,
  { count, stock, quantity }: { count: number; stock: number; quantity: number },
) {
  const { rows } = await admin.listParts({ body: {} })
  for (const { _id, availableQuantity: availableQuantityBefore, ...part } of rows.slice(0, count)) {
    const rules = { minQuantity: quantity, multiple: 1, cartonSize: null, priceBreaks: [] }
    const body = partChange.parse({ ...part, ...rules, availableQuantity: stock, availableQuantityBefore })
    await admin.updatePart({ params: { partId: _id }, body })
  }
  return rows.slice(0, count).map(({ _id }) => _id)
}
