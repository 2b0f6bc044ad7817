import { lazy, Suspense } from 'react'
import { useSession } from '#app/auth/session.ts'

/** Without it, parts can still be bought. */
const Warnings = lazy(() =>
  import('./warning-list.tsx').then(
    ({ WarningList }) => ({ default: WarningList }),
    () => ({ default: () => null }),
  ),
)

/** Of parts that don’t fit the build that a customer has chosen. Visitors load nothing of it. */
export function BuildWarning(props: { partIds: string[] }) {
  return useSession() ? (
    <Suspense>
      <Warnings {...props} />
    </Suspense>
  ) : null
}
