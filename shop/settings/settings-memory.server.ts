import type { Change } from '#db/changes.ts'
import { type Queries, shopSettings } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import type { ShopSettings } from './settings.ts'

export interface VersionedSettings {
  settings: ShopSettings
  /** By section. */
  versions: Map<string, number>
}

export interface SettingsMemory {
  /** Those of sections that were never saved. */
  defaults: ShopSettings
  /** What was read last, for what is composed where nothing can be awaited. */
  readonly current: ShopSettings
  /** In a transaction, `db` is its own: the embedded engine has one connection. */
  read(db?: Queries): Promise<ShopSettings>
  /** What was read last, however old: for statements that compare its versions. */
  readonly currentVersions: VersionedSettings
  /** From the table. In a transaction, `db` is its own. */
  readAgain(db?: Queries): Promise<VersionedSettings>
  /** After changes of what visitors see. */
  forget(changes: Change[]): void
  /** `isConnected` is false while changes of other processes may be missed: then nothing is taken from memory. */
  watch(isConnected: () => boolean): void
}

/** Changes that were made outside of the shop are seen after this time. */
const maxAgeMs = 10_000

/** What this process remembers of the settings: they are read for every page, email and order. */
export function createSettingsMemory(db: Queries, defaults: ShopSettings): SettingsMemory {
  let readAt: number | null = null
  let last: VersionedSettings = { settings: defaults, versions: new Map() }
  let changes = 0
  let isConnected = () => true

  async function load(queries: Queries): Promise<VersionedSettings> {
    const [before, startedAt] = [changes, performance.now()]
    const rows = await queries.select().from(shopSettings)
    const settings = withDefaults(defaults, rows)
    const versions = new Map(rows.map(({ section, version }) => [section, version]))
    // A change that was reported meanwhile may not be in it.
    if (before === changes) {
      readAt = startedAt
      last = { settings, versions }
    }
    return { settings, versions }
  }

  return {
    defaults,
    get current() {
      return last.settings
    },
    get currentVersions() {
      return last
    },
    readAgain: (queries = db) => load(queries),
    async read(queries = db) {
      if (readAt !== null && isConnected() && performance.now() - readAt < maxAgeMs) return last.settings
      try {
        return (await load(queries)).settings
      } catch (error) {
        if (queries === db && isUnavailable(error as Error)) return last.settings
        throw error
      }
    },
    forget(reported) {
      if (!reported.some(({ kind }) => kind === 'content')) return
      changes += 1
      readAt = null
    },
    watch(complete) {
      isConnected = complete
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
