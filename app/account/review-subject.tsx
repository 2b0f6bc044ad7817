import { Link } from 'react-router'
import { useCompany } from '#app/company.ts'
import { Thumb } from '#app/orders/part-thumbs.tsx'
import type { ReviewablePart } from '#shop/reviews/review.ts'

const shownAtOnce = 2

/** Without `about`, the form begins with the latest part that was delivered. */
export const shopReview = '/dashboard/addReview?about=shop'

interface Props {
  parts: ReviewablePart[]
  /** Of the part that is being reviewed; without one, it is the shop. */
  chosen: string | undefined
}

/** Nothing for who has bought nothing that is left to review. */
export function ReviewSubject({ parts, chosen }: Props) {
  const { name } = useCompany()
  if (parts.length === 0) return null
  const first = parts.slice(0, shownAtOnce)
  const others = parts.slice(shownAtOnce)
  return (
    <nav aria-labelledby="subject" className="mb-8">
      <h2 id="subject" className="mb-3 text-base">
        What is it about?
      </h2>
      <ul className={list}>
        {first.map((part) => (
          <PartChoice key={part._id} part={part} chosen={chosen} />
        ))}
        <li>
          <Link
            to={shopReview}
            preventScrollReset
            aria-current={chosen === undefined || undefined}
            className={choice}
          >
            {`${name}, the shop`}
          </Link>
        </li>
      </ul>
      {others.length > 0 && (
        <details className="mt-3" open={others.some(({ _id }) => _id === chosen)}>
          <summary className="link w-fit cursor-pointer text-sm">{`Another part that you’ve bought (${others.length})`}</summary>
          <ul className={`mt-3 ${list}`}>
            {others.map((part) => (
              <PartChoice key={part._id} part={part} chosen={chosen} />
            ))}
          </ul>
        </details>
      )}
    </nav>
  )
}

const list = 'grid gap-2 sm:grid-cols-2 xl:grid-cols-3'
const choice =
  'flex min-h-14 items-center gap-3 rounded-box border border-base-300 px-3 py-2 text-sm hover:border-base-content/40 aria-[current]:border-primary aria-[current]:font-semibold'

function PartChoice({
  part: { _id, name, image },
  chosen,
}: {
  part: ReviewablePart
  chosen: string | undefined
}) {
  return (
    <li>
      <Link
        to={`/dashboard/addReview?part=${_id}`}
        preventScrollReset
        aria-current={_id === chosen || undefined}
        className={choice}
      >
        <Thumb src={image} alt="" />
        <span className="line-clamp-2 min-w-0">{name}</span>
      </Link>
    </li>
  )
}
