import { listAddress } from '#shop/addresses/address.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { formatDate, formatTime } from '#shop/dates.ts'
import { formatCount, formatDollars, toDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { formatHsCode } from '#shop/parts/customs.ts'
import { formatAboutWeight, formatWeight } from '#shop/parts/weight.ts'
import type { OrderDocument, PackingSlip } from './document.ts'
import type { DocumentCharges } from './document-charges.ts'

export interface DocumentColumn {
  label: string
  /** `check`: a cell without text is a box to tick. */
  kind: 'text' | 'number' | 'check'
  /** Has the details of its row below its text, and on a narrow screen the minor columns. */
  main?: true
  minor?: true
  /** Of the width of the table. */
  share: number
}

export type DocumentFact = [label: string, value: string]

/** What the page and the PDF of a document show. */
export interface DocumentLayout {
  title: string
  number: string
  /** Without an extension. */
  fileName: string
  issuedAt: string
  notice: string | null
  /** In lines, the name first. */
  seller: string[]
  deliverTo: string[]
  /** Above `deliverTo`. */
  deliverToLabel: string
  facts: DocumentFact[]
  columns: DocumentColumn[]
  rows: string[][]
  /** In small type in the main column, a text for each row; empty for none. */
  rowDetails?: string[]
  /** In smaller type above the totals. */
  subtotals?: DocumentFact[]
  totals: DocumentFact[]
  notes: string[]
}

const titles = { 'pro-forma': 'Pro-forma invoice', invoice: 'Invoice', 'credit note': 'Credit note' }
const totalLabels = { 'pro-forma': 'Total to pay', invoice: 'Total paid', 'credit note': 'Total credited' }

export function documentName({ kind, number, cancels }: OrderDocument) {
  if (kind === 'pro-forma') return titles[kind]
  return `${titles[kind]} ${number}${cancels ? ` (cancels ${cancels})` : ''}`
}

export function layoutDocument(document: OrderDocument): DocumentLayout {
  const { id, kind, number, issuedAt, order, lines, total, testPayment, cancels } = document
  const isCreditNote = kind === 'credit note'
  return {
    title: cancels ? 'Cancellation of a credit note' : titles[kind],
    number: kind === 'pro-forma' ? `Order #${number}` : number,
    fileName: isCreditNote ? id : `${id}-${kind === 'invoice' ? pickDigits(number) : order}`,
    issuedAt,
    notice: testPayment ? 'Test payment: no money was received.' : null,
    seller: sellerLines(document),
    deliverTo: deliveryLines(document),
    deliverToLabel: labelDelivery(document),
    facts: listFacts(document),
    columns: isCreditNote ? creditColumns : priceColumns,
    rows: lines.map((line) => listCells(document, line)),
    ...(document.charges && {
      rowDetails: lines.map(({ taxLabel = '', tax = 0 }) =>
        describeLineTax(document, document.charges!, { taxLabel, tax }),
      ),
    }),
    ...(document.charges && { subtotals: listCharges(document, document.charges) }),
    totals: [[cancels ? 'Total cancelled' : totalLabels[kind], formatAmount(total)]],
    notes: listNotes(document),
  }
}

function listCells({ kind, charges }: OrderDocument, line: OrderDocument['lines'][number]) {
  const { partNumber, parts, quantity, unitPrice, amount, charged, refundedQuantity = 0 } = line
  // An amount is refunded, of a quantity that may not be known.
  if (kind === 'credit note')
    return [partNumber, describeLine({ quantity: refundedQuantity, parts }), formatAmount(amount)]
  // An inclusive price loses its tax where none is due.
  const isLess = charges?.mode === 'inclusive' && charged !== undefined && charged !== amount * 100
  const [unit, total] = isLess
    ? [toDollars(Math.round(charged / quantity)), toDollars(charged)]
    : [unitPrice ?? 0, amount]
  return [partNumber, parts, formatCount(quantity), formatDollars(unit), formatAmount(total)]
}

function pickDigits(number: string) {
  return /(?<!\d)\d+$/.exec(number)![0]
}

function listFacts(document: OrderDocument): DocumentFact[] {
  const { kind, issuedAt, order, orderedAt, payBy, invoice, cancels, reason } = document
  const { timeZone, paidAt, transactionId } = document
  return [
    ['Date', formatDate(issuedAt, timeZone)],
    ...fact('Cancels', cancels),
    ...fact('Invoice', invoice),
    ...fact('Reason', reason),
    ...fact('Order', kind === 'pro-forma' ? null : `#${order}`),
    ['Ordered', formatDate(orderedAt, timeZone)],
    ...fact('Pay by', payBy && formatTime(payBy, timeZone)),
    ...fact('Paid', paidAt && formatTime(paidAt, timeZone)),
    ...fact('Paid with', kind === 'invoice' ? 'Card' : null),
    ...fact('TransactionId', transactionId),
    ...fact('To be collected at', document.collectAt ?? null),
    ...fact('Your tax ID', document.charges?.buyerTaxId ?? null),
  ]
}

/** Where prices have no tax in them, what of it is added to the amount. The amounts of a credit note have it in them. */
function describeLineTax(
  { kind }: Pick<OrderDocument, 'kind'>,
  { mode }: DocumentCharges,
  { taxLabel, tax }: { taxLabel: string; tax: number },
) {
  if (mode !== 'exclusive' || tax === 0) return taxLabel
  return `${kind === 'credit note' ? 'incl. ' : ''}${taxLabel}: ${formatAmount(toDollars(tax))}`
}

/** Between the items and the total: delivery as prices are shown, then what is without tax, and the tax of each rate. */
function listCharges(
  { lines, kind }: OrderDocument,
  { delivery, deliveryTaxes, taxes, mode }: DocumentCharges,
) {
  const sum = (cents: number[]) => toDollars(cents.reduce((total, one) => total + one, 0))
  const isShownWithTax = mode === 'inclusive' || kind === 'credit note'
  const deliveryShown = isShownWithTax
    ? delivery
    : delivery - deliveryTaxes.reduce((all, { tax }) => all + tax, 0)
  const net = sum(taxes.map(({ base }) => base))
  const facts: DocumentFact[] = []
  if (delivery !== 0 && lines.length > 0)
    facts.push(['Goods', formatAmount(toDollars(sumGoods(lines, isShownWithTax)))])
  if (delivery !== 0) facts.push(['Delivery', formatAmount(toDollars(deliveryShown))])
  if (taxes.length > 0) facts.push(['Without tax', formatAmount(net)])
  for (const { label, base, tax } of taxes)
    facts.push([`${label} on ${formatAmount(toDollars(base))}`, formatAmount(toDollars(tax))])
  return facts
}

function sumGoods(lines: OrderDocument['lines'], isShownWithTax: boolean) {
  return lines.reduce(
    (cents, { charged = 0, tax = 0 }) => cents + (isShownWithTax ? charged : charged - tax),
    0,
  )
}

function fact(label: string, value: string | null): DocumentFact[] {
  return value ? [[label, value]] : []
}

function listNotes({ kind, cancels, taxNote, seller: { bankDetails } }: OrderDocument) {
  if (cancels)
    return [`Our refund failed, so this cancels credit note ${cancels}. We still owe you this amount.`]
  if (kind === 'credit note') return ['We refunded this amount to the card you paid with.']
  const sentence = taxNote ? [taxNote] : []
  const bankLines = (bankDetails ?? '').split('\n').map((line) => line.trim())
  const bank = bankDetails ? [`Bank details: ${bankLines.filter(Boolean).join(', ')}`] : []
  if (kind === 'pro-forma')
    return ['This is not an invoice. We issue the invoice when you’ve paid.', ...sentence, ...bank]
  return [...sentence, ...bank]
}

export function layoutPackingSlip(slip: PackingSlip): DocumentLayout {
  const { order, orderedAt, shippedAt, timeZone, seller, lines } = slip
  return {
    title: 'Packing slip',
    number: `Order #${order}`,
    fileName: `packing-slip-${order}`,
    issuedAt: orderedAt,
    notice: null,
    seller: sellerLines(slip),
    deliverTo: deliveryLines(slip),
    deliverToLabel: labelDelivery(slip),
    facts: [
      ['Ordered', formatDate(orderedAt, timeZone)],
      ...fact('To be collected at', slip.collectAt ?? null),
      [
        slip.collectAt ? 'Ready' : 'Shipped',
        shippedAt
          ? formatDate(shippedAt, timeZone)
          : `Not yet: this is what is left to ${slip.collectAt ? 'get ready' : 'ship'}`,
      ],
    ],
    columns: packingColumns,
    rows: lines.map(({ partNumber, parts, quantity }) => ['', partNumber, parts, formatCount(quantity)]),
    rowDetails: lines.map(describeCustoms),
    totals: [
      ['Total quantity', formatCount(lines.reduce((sum, { quantity }) => sum + quantity, 0))],
      ...fact('Total weight', describeTotalWeight(lines)),
    ],
    notes: [
      ...weightNotes(lines),
      ...restNotes(slip),
      `Is something wrong or missing? Write to ${seller.email} or call ${seller.phone}.`,
    ],
  }
}

type PackedLine = PackingSlip['lines'][number]

/** Such as `0.816 kg (12 × 68 g) · Origin Taiwan · HS 8714 96 90`, of what is known. */
function describeCustoms({ quantity, weight, origin, hsCode }: PackedLine) {
  const facts = [
    weight !== null && describeWeight(weight, quantity),
    origin !== null && `Origin ${nameCountry(origin)}`,
    hsCode !== null && `HS ${formatHsCode(hsCode)}`,
  ]
  return facts.filter(Boolean).join(' · ')
}

function describeWeight(weight: number, quantity: number) {
  if (quantity === 1) return formatWeight(weight)
  return `${formatWeight(quantity * weight)} (${formatCount(quantity)} × ${formatWeight(weight)})`
}

function describeTotalWeight(lines: PackedLine[]) {
  const weights = lines.map(({ weight, quantity }) => (weight === null ? null : weight * quantity))
  if (weights.includes(null)) return null
  return `${formatAboutWeight(weights.reduce<number>((sum, weight) => sum + weight!, 0))}, without packaging`
}

/** A shop that enters no weights is not told of them. */
function weightNotes(lines: PackedLine[]) {
  const unknown = lines.filter(({ weight }) => weight === null).length
  if (unknown === 0 || unknown === lines.length) return []
  return [`Total weight unknown: ${unknown} of ${lines.length} items have no weight.`]
}

const maxRest = 10

function restNotes({ rest, isFirst }: PackingSlip) {
  if (rest.length === 0)
    return isFirst ? [] : ['The rest of your order. Its other parts were in earlier parcels.']
  const named = rest.slice(0, maxRest).map(describeLine).join(', ')
  const more = rest.length > maxRest ? ` and ${rest.length - maxRest} more items` : ''
  return [`Ships later, in another parcel: ${named}${more}.`]
}

const priceColumns: DocumentColumn[] = [
  { label: 'Part number', kind: 'text', share: 0.17, minor: true },
  { label: 'Product', kind: 'text', main: true, share: 0.4 },
  { label: 'Quantity', kind: 'number', share: 0.13 },
  { label: 'Price per unit', kind: 'number', share: 0.15, minor: true },
  { label: 'Amount', kind: 'number', share: 0.15 },
]

const creditColumns: DocumentColumn[] = [
  { label: 'Part number', kind: 'text', share: 0.2, minor: true },
  { label: 'Product', kind: 'text', main: true, share: 0.6 },
  { label: 'Amount', kind: 'number', share: 0.2 },
]

const packingColumns: DocumentColumn[] = [
  { label: 'Packed', kind: 'check', share: 0.2 },
  { label: 'Part number', kind: 'text', share: 0.18, minor: true },
  { label: 'Product', kind: 'text', main: true, share: 0.49 },
  { label: 'Quantity', kind: 'number', share: 0.13 },
]

function sellerLines({ seller }: Pick<OrderDocument, 'seller'>) {
  const { name, address, phone, email, taxId } = seller
  return [name, address, phone, email, ...(taxId ? taxId.split('\n') : [])]
}

function deliveryLines({
  seller,
  customer,
  delivery,
}: Pick<OrderDocument, 'seller' | 'customer' | 'delivery'>) {
  const { recipient, company, phoneNumber } = delivery
  const orderedBy = recipient === customer.name ? [] : [`Ordered by ${customer.name}`]
  const lines = [recipient, company, ...listAddress(delivery, seller.country), phoneNumber, ...orderedBy]
  return [...lines.filter(Boolean), customer.email]
}

function labelDelivery({ collectAt }: Pick<OrderDocument, 'collectAt'>) {
  return collectAt === undefined ? 'Deliver to' : 'Customer'
}

function formatAmount(amount: number) {
  return amount < 0 ? `− ${formatDollars(-amount)}` : formatDollars(amount)
}
