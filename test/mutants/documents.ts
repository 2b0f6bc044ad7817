import type { Mutant } from './mutant.ts'

const documents = 'shop/documents/documents.server.test.ts'

/** Invoices, credit notes and their PDFs. */
export const documentMutants: Mutant[] = [
  {
    name: 'a paid order has no invoice',
    file: 'db/migrations/0059_fewer_statements_of_a_payment.sql',
    from: '  perform issue_invoice(wanted, payment, invoice);\n',
    to: '',
    test: [documents, 'a paid order has one invoice'],
  },
  {
    name: 'two payments at once take the same number',
    file: 'db/migrations/0059_fewer_statements_of_a_payment.sql',
    from: "next_invoice_number('invoice', (invoice ->> 'firstNumber')::bigint)",
    to: "(select coalesce(max(number) + 1, (invoice ->> 'firstNumber')::bigint) from invoices where kind = 'invoice')",
    test: [documents, 'payments that settle at once, some of which fail, leave no gap'],
  },
  {
    name: 'a refund of a payment that was not billed gets a credit note',
    file: 'shop/documents/issue.server.ts',
    from: 'lines.length > 0 ? issueInvoice(shop, tx, { ...order, lines }) : null',
    to: 'issueInvoice(shop, tx, order)',
    test: [documents, 'a payment that the order cannot accept has neither'],
  },
  {
    name: 'a failed refund keeps its credit note',
    file: 'shop/documents/issue.server.ts',
    from: "if (kind === 'failed refund' && credited) await",
    to: "if (kind === 'refund' && credited) await",
    test: [documents, 'a refund gets a credit note of its item'],
  },
  {
    name: 'an email to an unconfirmed address has the invoice with what the customer typed',
    file: 'shop/orders/notify.server.ts',
    from: '{ ...compose(withoutTypedText(order)), attachments: [] }',
    to: 'compose(withoutTypedText(order))',
    test: [documents, 'the emails of a payment and of a refund have the PDFs'],
  },
  {
    name: 'a packing slip has what was refunded',
    file: 'shop/documents/documents.server.ts',
    from: "['paid', 'shipped'].includes(",
    to: "['paid', 'shipped', 'refunded'].includes(",
    test: [documents, 'a packing slip has what is left to ship of what is paid and not refunded'],
  },
  {
    name: 'the table of a PDF has a head on its first page only',
    file: 'shop/documents/pdf.server.ts',
    from: '      startPage(sheet, layout)\n      drawTableHead(sheet, columns, boxes)\n',
    to: '      startPage(sheet, layout)\n',
    test: ['shop/documents/pdf.server.test.ts', 'each page of a PDF of 100 items has the table head'],
  },
]
