import { parseListTable } from '#shop/basket/list/table.ts'

/** Of a carrier’s file. */
export interface TrackingRow {
  /** From 1, in the file. */
  line: number
  order: string
  trackingNumber: string
  carrier: string
}

/** A column is found by a word of its header, in this order. */
const columns = {
  trackingNumber: /track|consignment|waybill|awb|parcel|shipment|sendung|paket|colis/i,
  order: /order|reference|\bref\b|bestell|auftrag|commande|pedido/i,
  carrier: /carrier|courier|service|shipper|versand|transport/i,
} as const

export function readTrackingList(text: string): { rows: TrackingRow[] } | { error: string } {
  const [header, ...lines] = parseListTable(text)
  const names = header?.typed ?? []
  const taken = new Set<number>()
  const find = (pattern: RegExp) => {
    const index = names.findIndex((name, i) => !taken.has(i) && pattern.test(name))
    if (index >= 0) taken.add(index)
    return index
  }
  const [trackingAt, orderAt, carrierAt] = [
    find(columns.trackingNumber),
    find(columns.order),
    find(columns.carrier),
  ]
  if (orderAt < 0 || trackingAt < 0) {
    const missing = [orderAt < 0 && '“Order number”', trackingAt < 0 && '“Tracking number”'].filter(Boolean)
    return {
      error: `The first line of the file must name its columns: it has no ${missing.join(' and no ')}.`,
    }
  }
  return {
    rows: lines.map(({ line, typed }) => ({
      line,
      order: clean(typed[orderAt]),
      trackingNumber: clean(typed[trackingAt]),
      carrier: clean(typed[carrierAt]),
    })),
  }
}

/** Spreadsheets write numbers that begin with zeros as `="0042"` or `'0042`. */
function clean(cell = '') {
  const text = cell.replace(/\s+/g, ' ').trim()
  return (/^="(.*)"$/.exec(text)?.[1] ?? text).replace(/^'/, '')
}

interface Parcel {
  _id: string
  /** Of its order. */
  number: string
}

/** By shipment; `problems` names each row that fits none. */
export function matchTracking(rows: TrackingRow[], parcels: Parcel[]) {
  const byNumber = new Map(parcels.map(({ _id, number }) => [toKey(number), _id]))
  const found: Record<string, { carrier: string; trackingNumber: string }> = {}
  const problems: string[] = []
  for (const { line, order, trackingNumber, carrier } of rows) {
    const id = byNumber.get(toKey(order))
    if (!id)
      problems.push(`Line ${line}: ${order ? `no order ${order} was shipped here` : 'no order number'}.`)
    else if (!trackingNumber) problems.push(`Line ${line}: no tracking number for order ${order}.`)
    else if (found[id]) problems.push(`Line ${line}: order ${order} is there twice. The first is used.`)
    else found[id] = { carrier, trackingNumber }
  }
  return { found, problems }
}

function toKey(number: string) {
  return number.replace(/^#|\s/g, '').toLowerCase()
}

/** The cells of a pasted column; empty for what is no column, but one value. */
export function readPastedColumn(text: string): string[] {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/(?<!\n)\n+$/, '')
    .split('\n')
  return lines.length > 1 ? lines.map((line) => clean(line.split('\t')[0])) : []
}
