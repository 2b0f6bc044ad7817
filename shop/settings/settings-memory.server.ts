import type { Change } from '#db/changes.ts'
import { type Queries, shopSettings } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import type { ShopSettings } from './settings.ts'

export interface SettingsMemory {
  /** Those of sections that were never saved. */
  defaults: ShopSettings
  /** What was read last, for what is composed where nothing can be awaited. */
  readonly current: ShopSettings
  /** In a transaction, `db` is its own: the embedded engine has one connection. */
  read(db?: Queries): Promise<ShopSettings>
  /** After changes of what visitors see. */
  forget(changes: Change[]): void
  /** `isComplete` is false while changes of other processes may be missed: then nothing is taken from memory. */
  watch(isComplete: () => boolean): void
}

/** Changes that were made outside of the shop are seen after this time. */
const maxAgeMs = 10_000

/** What this process remembers of the settings: they are read for every page, email and order. */
export function createSettingsMemory(db: Queries, defaults: ShopSettings): SettingsMemory {
  let kept: { settings: ShopSettings; readAt: number } | null = null
  let last = defaults
  let changes = 0
  let isComplete = () => true

  async function load(queries: Queries): Promise<ShopSettings> {
    const [before, readAt] = [changes, performance.now()]
    const read = withDefaults(defaults, await queries.select().from(shopSettings))
    // A change that was reported meanwhile may not be in it.
    if (before === changes) {
      kept = { settings: read, readAt }
      last = read
    }
    return read
  }

  return {
    defaults,
    get current() {
      return last
    },
    async read(queries = db) {
      if (kept && isComplete() && performance.now() - kept.readAt < maxAgeMs) return kept.settings
      return load(queries).catch((error) => {
        if (queries === db && isUnavailable(error)) return last
        throw error
      })
    },
    forget(reported) {
      if (!reported.some(({ kind }) => kind === 'content')) return
      changes += 1
      kept = null
    },
    watch(complete) {
      isComplete = complete
    },
  }
}

/** A section that was saved before it had a field has the default of that. */
function withDefaults(defaults: ShopSettings, rows: (typeof shopSettings.$inferSelect)[]): ShopSettings {
  const saved = new Map(rows.map(({ section, value }) => [section, value]))
  const entries = Object.entries(defaults).map(([section, value]) => [
    section,
    { ...value, ...saved.get(section) },
  ])
  return Object.fromEntries(entries) as ShopSettings
}
