import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Connections keep what they have prepared: the many texts of statements with long lists would fill their memory. */
const [maxStatements, maxLength] = [500, 5_000]

/** Lets a connection parse and plan a statement with parameters once. Concerns `query({ text }, values)`, as Drizzle calls it. */
export function prepareStatements(client: pg.ClientBase): void {
  const names = new Map<string, string>()
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((config: unknown, values?: unknown, ...rest: unknown[]) =>
    query(
      hasParameters(config, values) ? { ...config, name: findName(names, config.text) } : config,
      values,
      ...rest,
    )) as never
}

function hasParameters(config: unknown, values: unknown): config is { text: string; name?: string } {
  const { text, name } = config as { text?: unknown; name?: unknown }
  return typeof text === 'string' && !name && Array.isArray(values) && values.length > 0
}

function findName(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size === maxStatements || text.length > maxLength) return known
  // The best plan of a search depends on what is searched for.
  if (text.includes(' like ')) return undefined
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
