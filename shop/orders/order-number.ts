import type { Shop } from '#shop/ports.ts'

export type NumberSettings = Pick<Shop, 'orderNumberPrefix'>

/** As customers read it, such as `WW-1042`. */
export function formatOrderNumber({ orderNumberPrefix }: NumberSettings, number: number): string {
  return `${orderNumberPrefix}${number}`
}

export type Numbered<Row> = Omit<Row, 'number'> & { number: string }

export function withNumber<Row extends { number: number }>(
  settings: NumberSettings,
  row: Row,
): Numbered<Row> {
  return { ...row, number: formatOrderNumber(settings, row.number) }
}

/** The digits of what could be an order number or its beginning, with or without the prefix; null for anything else. */
export function digitsOfOrderNumber({ orderNumberPrefix }: NumberSettings, text: string): string | null {
  const written = text.trim().replace(/^#/, '').toLowerCase()
  const prefix = orderNumberPrefix.toLowerCase()
  const digits = written.startsWith(prefix) ? written.slice(prefix.length) : written
  return /^\d{1,15}$/.test(digits) ? digits : null
}
