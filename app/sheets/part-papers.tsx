import { Link } from 'react-router'

export interface PartPaper {
  href: string
  label: string
}

/** The specification sheet, and what else there is to download. */
export function PartPapers({ partId, papers }: { partId: string; papers: PartPaper[] }) {
  return (
    <ul className="mt-5 grid gap-3">
      <li>
        <Link to={`/parts/${partId}/sheet`} className="link">
          Specification sheet
        </Link>
      </li>
      {papers.map(({ href, label }) => (
        <li key={href}>
          <a href={href} download className="link">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
