import type { Shop } from '#shop/ports.ts'

export type NumberSettings = Pick<Shop, 'settings'>

/** As customers read it, such as `WW-1042`. A number keeps the prefix that it was given out with. */
export function formatOrderNumber({ settings }: NumberSettings, number: number): string {
  const { order, former } = settings.current.numbers
  const prefix = former.find(({ until }) => number <= until)?.prefix ?? order
  return `${prefix}${number}`
}

export type Numbered<Row> = Omit<Row, 'number'> & { number: string }

export function withNumber<Row extends { number: number }>(
  settings: NumberSettings,
  row: Row,
): Numbered<Row> {
  return { ...row, number: formatOrderNumber(settings, row.number) }
}

/** The digits of what could be an order number or its beginning, with or without a prefix; null for anything else. */
export function digitsOfOrderNumber({ settings }: NumberSettings, text: string): string | null {
  const written = text.trim().replace(/^#/, '').toLowerCase()
  const { order, former } = settings.current.numbers
  const prefixes = ['', order, ...former.map(({ prefix }) => prefix)].map((prefix) => prefix.toLowerCase())
  const endings = prefixes
    .filter((prefix) => written.startsWith(prefix))
    .map((prefix) => written.slice(prefix.length))
  return endings.find((digits) => /^\d{1,15}$/.test(digits)) ?? null
}
