import { useNavigation } from 'react-router'
import { useNextPage } from '#app/ui/behaviour/same-page.ts'

/** Appears late, so that quick navigations do not flicker. */
export function Progress() {
  useNextPage()
  if (useNavigation().state === 'idle') return null
  return (
    <div aria-hidden="true" className="late">
      <div className="progress-line" />
      <div className="pointer-events-none fixed inset-x-0 bottom-24 z-50 grid place-items-center">
        <span className="grid place-items-center rounded-full bg-base-100 p-3 shadow-md">
          <span className="loading loading-spinner loading-lg text-primary" />
        </span>
      </div>
    </div>
  )
}
