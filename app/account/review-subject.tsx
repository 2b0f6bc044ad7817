import { Link } from 'react-router'
import { useCompany } from '#app/company.ts'
import { Thumb } from '#app/orders/part-thumbs.tsx'
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
import type { ReviewablePart } from '#shop/reviews/review.ts'

const shownAtOnce = 2

/** Without `about`, the form begins with the latest part that was delivered. */
export const shopReview = '/dashboard/addReview?about=shop'

interface Props {
  parts: Omit<ReviewablePart, 'shippedAt'>[]
  /** Of the part that is being reviewed; without one, it is the shop. */
  chosen: string | undefined
}

/** Nothing for who has bought nothing that is left to review. */
export function ReviewSubject({ parts, chosen }: Props) {
  const { name } = useCompany()
  const isOnPhone = useIsPhone()
  if (parts.length === 0) return null
  const first = parts.slice(0, shownAtOnce)
  const others = parts.slice(shownAtOnce)
  const otherChoices = others.map((part) => <PartChoice key={part._id} part={part} chosen={chosen} />)
  return (
    <nav aria-labelledby="subject" className="mb-4 md:mb-8">
      <h2 id="subject" className="text-sm font-medium md:mb-3 md:text-base md:font-semibold">
        What is it about?
      </h2>
      <ul className={list}>
        {first.map((part) => (
          <PartChoice key={part._id} part={part} chosen={chosen} />
        ))}
        <li className={item} ref={chosen === undefined ? showInStrip : undefined}>
          <Link
            to={shopReview}
            preventScrollReset
            aria-current={chosen === undefined || undefined}
            className={choice}
          >
            {`${name}, the shop`}
          </Link>
        </li>
        {isOnPhone && otherChoices}
      </ul>
      {others.length > 0 && !isOnPhone && (
        <details className="mt-3" open={others.some(({ _id }) => _id === chosen)}>
          <summary className="link w-fit cursor-pointer text-sm">{`Another part that you’ve bought (${others.length})`}</summary>
          <ul className={`mt-3 ${list}`}>{otherChoices}</ul>
        </details>
      )}
    </nav>
  )
}

// On a phone, a strip that scrolls sideways.
const list =
  '-mx-4 flex gap-2 overflow-x-auto px-4 py-1 md:mx-0 md:grid md:grid-cols-2 md:overflow-visible md:px-0 xl:grid-cols-3'
const item = 'shrink-0 max-md:w-56'
const choice =
  'flex h-full min-h-14 items-center gap-3 rounded-box border border-base-300 px-3 py-2 text-sm hover:border-base-content/40 aria-[current]:border-primary aria-[current]:font-semibold'

function PartChoice({
  part: { _id, name, image },
  chosen,
}: {
  part: Omit<ReviewablePart, 'shippedAt'>
  chosen: string | undefined
}) {
  return (
    <li className={item} ref={_id === chosen ? showInStrip : undefined}>
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

function showInStrip(item: HTMLElement | null) {
  item?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
