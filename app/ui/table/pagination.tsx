import { Link } from 'react-router'

interface Props {
  page: number
  pages: number
  /** False when there may be more pages. */
  isCounted?: boolean
  to: (page: number) => string
}

export function Pagination({ page, pages, isCounted = true, to }: Props) {
  return (
    <nav aria-label="Pages" className="mt-14 flex flex-wrap items-center justify-center gap-3">
      {page > 2 && (
        <Link to={to(1)} className="btn">
          First
        </Link>
      )}
      {page > 1 && (
        <Link to={to(page - 1)} className="btn" rel="prev">
          Previous
        </Link>
      )}
      <span className="px-2">{isCounted ? `Page ${page} of ${pages}` : `Page ${page}`}</span>
      {page < pages && (
        <Link to={to(page + 1)} className="btn" rel="next">
          Next
        </Link>
      )}
      {isCounted && page < pages - 1 && (
        <Link to={to(pages)} className="btn">
          Last
        </Link>
      )}
    </nav>
  )
}
