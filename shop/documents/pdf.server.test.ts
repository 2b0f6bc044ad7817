import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import type { OrderDocument } from './document.ts'
import { layoutDocument } from './layout.ts'
import { renderPdf } from './pdf.server.ts'

const line = {
  purchase: '1',
  partNumber: 'WW-1001',
  parts: 'Chain',
  quantity: 12,
  unitPrice: 24,
  amount: 288,
}
const invoice: OrderDocument = {
  ...{ id: 'invoice', kind: 'invoice', number: 'INV-1001', order: '1042' },
  ...{ issuedAt: '2026-05-12T14:05:00Z', orderedAt: '2026-05-11T09:00:00Z', paidAt: '2026-05-12T14:05:00Z' },
  seller: {
    ...{ name: 'Winged Wheels', address: '19 Millrace Road', phone: '+1 555 010 1992' },
    ...{ email: 'hello@wheels.example', taxId: 'VAT ID: XX123' },
  },
  customer: { name: 'Ada', email: 'ada@example.com' },
  delivery: {
    recipient: 'Jo',
    company: 'Spoke & Sons',
    address: '1 Hub Road\n28195 Bremen',
    phoneNumber: '5550100',
  },
  lines: [line],
  ...{ total: 1_288, transactionId: 'pi_1', testPayment: true },
  ...{ payBy: null, invoice: null, reason: null, cancels: null },
}

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
