/** Firefox, Safari and Chrome throw when the user has blocked site data, and when the shop's share of the disk is full. */
function guardStorage(open: () => Storage) {
  /** What the browser did not take, until the page is left. */
  const unsaved = new Map<string, string>()
  const read = (key: string): string | null => unsaved.get(key) ?? attempt(() => open().getItem(key)) ?? null
  return {
    read,
    /** Throws an Error whose message can be shown. */
    write(key: string, value: string) {
      try {
        open().setItem(key, value)
      } catch (error) {
        throw new Error(isFull(error) ? fullMessage : blockedMessage)
      }
      unsaved.delete(key)
    },
    /** For what is worth keeping and not worth an error. */
    keep(key: string, value: string) {
      try {
        this.write(key, value)
      } catch {
        unsaved.set(key, value)
      }
    },
    remove(key: string) {
      unsaved.delete(key)
      attempt(() => open().removeItem(key))
    },
    listKeys(): string[] {
      return [...new Set([...unsaved.keys(), ...(attempt(() => Object.keys(open())) ?? [])])]
    },
    isBlocked(): boolean {
      return attempt(() => open().length) === undefined
    },
  }
}

export const blockedMessage =
  'Your browser blocks this shop’s site data. Allow cookies and site data for this shop, then reload the page.'
const fullMessage =
  'Your browser’s storage for this shop is full. Delete this shop’s site data in your browser’s settings and try again.'

function isFull(error: unknown) {
  return error instanceof Error && /quota/i.test(error.name)
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Shared by the tabs of a browser. */
export const localItems = guardStorage(() => localStorage)
/** Of this tab. */
export const sessionItems = guardStorage(() => sessionStorage)
