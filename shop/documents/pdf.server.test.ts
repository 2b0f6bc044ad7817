import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { copyPdfText } from '#test/pdf.ts'
import { type OrderDocument, packingSlipsQuery } from './document.ts'
import { documentName, layoutDocument, layoutPackingSlip } from './layout.ts'
import { renderPdf } from './pdf.server.ts'

const line = {
  purchase: '1',
  partNumber: 'WW-1001',
  parts: 'Chain',
  quantity: 12,
  unitPrice: 24,
  amount: 288,
}
const unknown = { weight: null, origin: null, hsCode: null }
const packed = { partNumber: 'WW-1001', parts: 'Chain', quantity: 12, ...unknown }
const invoice: OrderDocument = {
  id: 'invoice',
  kind: 'invoice',
  number: 'INV-1001',
  order: '1042',
  issuedAt: '2026-05-12T14:05:00Z',
  orderedAt: '2026-05-11T09:00:00Z',
  timeZone: 'UTC',
  paidAt: '2026-05-12T14:05:00Z',
  seller: {
    name: 'Winged Wheels',
    country: null,
    address: '19 Millrace Road',
    phone: '+1 555 010 1992',
    email: 'hello@wheels.example',
    taxId: 'VAT ID: XX123',
    bankDetails: null,
  },
  customer: { name: 'Ada', email: 'ada@example.com' },
  delivery: {
    recipient: 'Jo',
    company: 'Spoke & Sons',
    country: null,
    region: null,
    postcode: null,
    town: null,
    address: '1 Hub Road\n28195 Bremen',
    phoneNumber: '5550100',
  },
  lines: [line],
  total: 1_288,
  transactionId: 'pi_1',
  testPayment: true,
  payBy: null,
  invoice: null,
  reason: null,
  cancels: null,
}

test('each kind of document has its own title, file, facts, amounts and note', () => {
  const ordered = ['Ordered', '11 May 2026']
  const paid = [
    ['Paid', '12 May 2026 at 14:05 UTC'],
    ['TransactionId', 'pi_1'],
  ]
  const unpaid = { paidAt: null, transactionId: null, testPayment: false, payBy: '2028-02-29T23:59:00Z' }
  const credit = { kind: 'credit note', id: 'credit-note-7', number: 'CN2-7', invoice: 'INV2-1001' } as const
  const cases: [Partial<OrderDocument>, object, string][] = [
    [
      { kind: 'pro-forma', id: 'pro-forma', number: '1042', ...unpaid },
      {
        title: 'Pro-forma invoice',
        number: 'Order #1042',
        fileName: 'pro-forma-1042',
        notice: null,
        facts: [['Date', '12 May 2026'], ordered, ['Pay by', '29 February 2028 at 23:59 UTC']],
        rows: [['WW-1001', 'Chain', '12', '$24', '$288']],
        totals: [['Total to pay', '$1,288']],
        notes: ['This is not an invoice. We issue the invoice when you’ve paid.'],
      },
      'Pro-forma invoice',
    ],
    [
      { number: 'INV2-1001' },
      {
        title: 'Invoice',
        number: 'INV2-1001',
        fileName: 'invoice-1001',
        facts: [
          ['Date', '12 May 2026'],
          ['Order', '#1042'],
          ordered,
          paid[0],
          ['Paid with', 'Card'],
          paid[1],
        ],
        totals: [['Total paid', '$1,288']],
        notes: [],
      },
      'Invoice INV2-1001',
    ],
    [
      { ...credit, reason: 'Bent', total: 19.99, lines: [{ ...line, unitPrice: null, amount: 19.99 }] },
      {
        title: 'Credit note',
        fileName: 'credit-note-7',
        facts: [
          ['Date', '12 May 2026'],
          ['Invoice', 'INV2-1001'],
          ['Reason', 'Bent'],
          ['Order', '#1042'],
          ordered,
          ...paid,
        ],
        rows: [['WW-1001', 'Chain', '$19.99']],
        totals: [['Total credited', '$19.99']],
        notes: ['We refunded this amount to the card you paid with.'],
      },
      'Credit note CN2-7',
    ],
    [
      { ...credit, cancels: 'CN2-6', total: -19.99, lines: [{ ...line, unitPrice: null, amount: -19.99 }] },
      {
        title: 'Cancellation of a credit note',
        rows: [['WW-1001', 'Chain', '− $19.99']],
        totals: [['Total cancelled', '− $19.99']],
        notes: ['Our refund failed, so this cancels credit note CN2-6. We still owe you this amount.'],
      },
      'Credit note CN2-7 (cancels CN2-6)',
    ],
  ]
  for (const [change, layout, name] of cases) {
    const document = { ...invoice, ...change }
    expect(layoutDocument(document)).toMatchObject(layout)
    expect(documentName(document)).toBe(name)
  }
})

test('a document names its customer once, and a packing slip says whether it has shipped, and what ships later', () => {
  const delivery = {
    ...invoice.delivery,
    recipient: 'Ada',
    company: '',
    address: '1 Hub Road \n 28195 Bremen',
  }
  expect(layoutDocument({ ...invoice, delivery }).deliverTo.join()).toBe(
    'Ada,1 Hub Road,28195 Bremen,5550100,ada@example.com',
  )
  const seller = { ...invoice.seller, taxId: null }
  const lines = [packed, { ...packed, quantity: 1_000 }]
  const toShip = { ...invoice, seller, lines, shippedAt: null, rest: [], isFirst: true }
  const slip = layoutPackingSlip(toShip)
  expect(slip.seller.join()).toBe('Winged Wheels,19 Millrace Road,+1 555 010 1992,hello@wheels.example')
  expect(slip.rows).toEqual([
    ['', 'WW-1001', 'Chain', '12'],
    ['', 'WW-1001', 'Chain', '1,000'],
  ])
  expect(slip.totals).toEqual([['Total quantity', '1,012']])
  expect(slip.facts.at(-1)).toEqual(['Shipped', 'Not yet: this is what is left to ship'])
  expect(slip.notes).toHaveLength(1)
  const shipped = { ...toShip, shippedAt: '2026-12-31T23:59:59.999Z', isFirst: false }
  expect(layoutPackingSlip(shipped)).toMatchObject({
    facts: [
      ['Ordered', expect.any(String)],
      ['Shipped', '31 December 2026'],
    ],
    notes: ['The rest of your order. Its other parts were in earlier parcels.', slip.notes[0]],
  })
  const rest = Array.from({ length: 12 }, (_, i) => ({ parts: `Rim ${i}`, quantity: 2 }))
  expect(layoutPackingSlip({ ...shipped, rest }).notes[0]).toMatch(
    /^Ships later, in another parcel: 2 × Rim 0, .*, 2 × Rim 9 and 2 more items\.$/,
  )
})

test('a packing slip adds up the weights of its items, and has what customs asks for below each', async () => {
  const toShip = { ...invoice, shippedAt: null, rest: [], isFirst: true }
  const chain = { ...packed, weight: 252, origin: 'PT', hsCode: '731511' }
  const fork = { ...packed, parts: 'Fork', quantity: 1, weight: 1_960, origin: 'TW', hsCode: '87149130' }
  const whole = layoutPackingSlip({ ...toShip, lines: [chain, fork, { ...chain, quantity: 30 }] })
  expect(whole.rowDetails).toEqual([
    '3.024 kg (12 × 252 g) · Origin Portugal · HS 7315 11',
    '1.96 kg · Origin Taiwan · HS 8714 91 30',
    '7.56 kg (30 × 252 g) · Origin Portugal · HS 7315 11',
  ])
  expect(whole.totals).toEqual([
    ['Total quantity', '43'],
    ['Total weight', 'about 12.5 kg, without packaging'],
  ])
  expect(whole.notes).toHaveLength(1)
  const text = await copyPdfText(await renderPdf(whole))
  for (const shown of [...whole.rowDetails!, ...whole.totals.flat()]) expect(text).toContain(shown)

  const partly = layoutPackingSlip({ ...toShip, lines: [{ ...chain, origin: null }, packed, packed] })
  expect(partly.rowDetails).toEqual(['3.024 kg (12 × 252 g) · HS 7315 11', '', ''])
  expect(partly.totals).toHaveLength(1)
  expect(partly.notes[0]).toBe('Total weight unknown: 2 of 3 items have no weight.')
})

test('a packing slip of parts without customs values has the same bytes as one that knows of none', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => ({ ...packed, parts: 'Chain for e-bikes '.repeat(i) }))
  const slip = layoutPackingSlip({ ...invoice, lines, shippedAt: null, rest: [], isFirst: true })
  const { rowDetails: _, ...earlier } = slip
  expect([slip.totals, slip.notes]).toMatchObject([{ length: 1 }, { length: 1 }])
  const bytes = async (layout: typeof earlier) => (await renderPdf(layout)).bytes()
  expect(await bytes(slip)).toEqual(await bytes(earlier))
  const [first] = lines
  const weighed = { ...slip, rowDetails: [`${first!.partNumber} 252 g`, ...slip.rowDetails!.slice(1)] }
  expect(await bytes(weighed)).not.toEqual(await bytes(earlier))
})

test('packing slips are of 1 to 100 orders, each once', () => {
  const read = (orders: string) => packingSlipsQuery.safeParse({ orders })
  const numbers = Array.from({ length: 101 }, (_, i) => i)
  expect(read(`1,2,,1,${numbers.slice(3, 100)},0`).data?.orders).toHaveLength(100)
  expect(read(`${numbers}`).error?.issues).toMatchObject([{ message: 'At most 100 orders at a time' }])
  expect(read(',').error?.issues).toMatchObject([{ message: 'orders is required' }])
  for (const query of [{}, { orders: '1', shipments: '2' }])
    expect(packingSlipsQuery.safeParse(query).error?.issues).toMatchObject([
      { message: 'Name either orders or shipments' },
    ])
})

async function pagesOf(document: OrderDocument) {
  const file = await renderPdf(layoutDocument(document))
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await file.arrayBuffer())))
  return text.map((page) => page.replace(/\s+/g, ' '))
}

test('the PDF of an invoice has its number, seller, customer, items, total and payment as text', async () => {
  const [page] = await pagesOf(invoice)
  for (const text of [
    ...[
      'Invoice INV-1001',
      'Winged Wheels 19 Millrace Road',
      'VAT ID: XX123',
      'Jo Spoke & Sons 1 Hub Road 28195 Bremen 5550100 Ordered by Ada ada@example.com',
    ],
    ...[
      'WW-1001 Chain 12 $24 $288',
      'Total paid $1,288',
      'Paid 12 May 2026 at 14:05 UTC',
      'TransactionId pi_1',
    ],
    ...['Test payment: no money was received.', 'Page 1 of 1'],
  ])
    expect(page).toContain(text)
})

test('each page of a PDF of 100 items has the table head and its number, and each item is on one page', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => ({ ...line, partNumber: `N-${i};` }))
  const pages = await pagesOf({ ...invoice, lines })
  expect(pages.length).toBeGreaterThan(2)
  for (const [i, page] of pages.entries()) {
    expect(page).toContain('Part number Product Quantity Price per unit Amount')
    expect(page).toContain(`Page ${i + 1} of ${pages.length}`)
  }
  const all = pages.join(' ')
  expect(lines.filter(({ partNumber }) => all.split(partNumber).length !== 2)).toEqual([])
})

test('a PDF has characters of every script, and breaks an address of 1,000 characters without a space', async () => {
  const recipient = '佐藤 Привет שלום 🚲 नमस्ते Łukasz'
  const [page] = await pagesOf({
    ...invoice,
    delivery: { ...invoice.delivery, recipient, address: 'W'.repeat(1_000) },
  })
  for (const word of ['佐藤', 'Привет', '🚲', 'Łukasz']) expect(page).toContain(word)
  expect(page!.match(/W{5,}/g)!.join('')).toHaveLength(1_000)
})
