import { blockedMessage, localItems } from '#app/browser/storage.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'

/** On pages that cannot work without the browser's storage. */
export function StorageNotice() {
  const hydrated = useHydrated()
  if (!hydrated || !localItems.isBlocked()) return null
  return (
    <p role="alert" className="mt-6 mb-6 border-l-4 border-warning bg-base-200 px-4 py-3">
      {blockedMessage}
    </p>
  )
}
