import { Link } from 'react-router'
import { DateTime } from '#app/ui/date.tsx'
import { type Section, type StoredSettings, sectionLabels } from '#shop/settings/settings.ts'

interface Props {
  section: Section
  stored: Pick<StoredSettings[Section], 'changedAt' | 'changedBy'>
}

/** Nothing until it was saved. */
export function LastChanged({ section, stored: { changedAt, changedBy } }: Props) {
  if (!changedAt) return null
  return (
    <>
      {'Last changed '}
      <DateTime at={changedAt} />
      {`${changedBy ? ` by ${changedBy}` : ''}. `}
      <Link to={`/dashboard/auditLog?subjectKind=settings&subjectId=${section}`} className="link">
        {`Changes of ${lowerFirst(sectionLabels[section])}`}
      </Link>
    </>
  )
}

/** In a sentence; abbreviations keep their capitals. */
export function lowerFirst(label: string) {
  return label.charAt(0).toLowerCase() + label.slice(1)
}
