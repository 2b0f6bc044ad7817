/** For `jsonb`, which refuses half of a pair of surrogates: a text that was cut off may end with one. */
export function toWellFormedJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\ud')) return json
  return JSON.stringify(value, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
