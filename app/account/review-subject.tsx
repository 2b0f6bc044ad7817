import { Link } from 'react-router'
import { useCompany } from '#app/company.ts'
import { Thumb } from '#app/orders/part-thumbs.tsx'
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
import { formatCount } from '#shop/money.ts'
import type { ReviewablePart } from '#shop/reviews/review.ts'

const shownAtOnce = 2

/** Without `about`, the form begins with the latest part that was delivered. */
export const shopReview = '/dashboard/addReview?about=shop'

interface Props {
  parts: Omit<ReviewablePart, 'shippedAt'>[]
  /** Of the part that is being reviewed; without one, it is the shop. */
  chosen: string | undefined
}

/** Nothing for who has bought nothing that is left to review. A phone shows what is chosen, and the rest once it is asked for. */
export function ReviewSubject({ parts, chosen }: Props) {
  const { name } = useCompany()
  const isOnPhone = useIsPhone()
  if (parts.length === 0) return null
  const shop = { _id: undefined, name: `${name}, the shop` }
  const all = [...parts.slice(0, shownAtOnce), shop, ...parts.slice(shownAtOnce)]
  const first = isOnPhone ? all.filter(({ _id }) => _id === chosen) : all.slice(0, shownAtOnce + 1)
  const others = all.filter((subject) => !first.includes(subject))
  const choices = (subjects: Subject[]) => (
    <ul className="grid gap-2 md:grid-cols-2 xl:grid-cols-3">
      {subjects.map((subject) => (
        <Choice key={subject._id ?? 'shop'} subject={subject} isChosen={subject._id === chosen} />
      ))}
    </ul>
  )
  return (
    <nav aria-labelledby="subject" className="mb-4 md:mb-8">
      <h2 id="subject" className="mb-1 text-sm font-medium md:mb-3 md:text-base md:font-semibold">
        What is it about?
      </h2>
      {choices(first)}
      {others.length > 0 && (
        <details key={chosen} className="mt-2 md:mt-3" open={others.some(({ _id }) => _id === chosen)}>
          <summary className="link w-fit cursor-pointer text-sm">
            {isOnPhone ? 'Something else' : 'Another part that you’ve bought'}
            {` (${formatCount(others.length)})`}
          </summary>
          <div className="mt-3">{choices(others)}</div>
        </details>
      )}
    </nav>
  )
}

/** A part that was bought, or the shop. */
interface Subject {
  _id: string | undefined
  name: string
  image?: string
}

function Choice({ subject: { _id, name, image }, isChosen }: { subject: Subject; isChosen: boolean }) {
  return (
    <li>
      <Link
        to={_id ? `/dashboard/addReview?part=${_id}` : shopReview}
        preventScrollReset
        aria-current={isChosen || undefined}
        className="flex h-full min-h-12 items-center gap-3 rounded-box border border-base-300 px-3 py-1.5 text-sm hover:border-base-content/40 aria-[current]:border-primary aria-[current]:font-semibold md:min-h-14 md:py-2"
      >
        {image && <Thumb src={image} alt="" />}
        <span className="line-clamp-2 min-w-0">{name}</span>
      </Link>
    </li>
  )
}
