/** For `jsonb`, which refuses half of a pair of surrogates: a text that was cut off may end with one. */
export function toWellFormedJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\ud')) return json
  return JSON.stringify(value, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

/** As functions of the database read a row: with the names of its columns. */
export function toColumns(row: object): Record<string, unknown> {
  const findName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [findName(key), value]))
}

export function toRowJson(row: object): string {
  return toWellFormedJson(toColumns(row))
}
