import { useNavigation } from 'react-router'

/** A line at the top while the next page is on its way, once that takes long enough to be noticed. */
export function Progress() {
  if (useNavigation().state === 'idle') return null
  return <div aria-hidden="true" className="progress-line late" />
}
