import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import type { MyConversation } from '#shop/messages/conversation.ts'
import { formatCount } from '#shop/money.ts'

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Of a customer and the shop, oldest first. */
export function Thread({ conversation }: { conversation: Omit<MyConversation, 'unread'> }) {
  const { _id, name, createdAt, message, startedBy, replies } = conversation
  const [opened, setOpened] = useState<string>()
  const first = { _id, by: startedBy ?? name, createdAt, text: message, fromCustomer: startedBy === null }
  const entries = [first, ...replies]
  const earlier = opened === _id ? 0 : Math.max(0, entries.length - shownAtOnce)
  return (
    <>
      {earlier > 0 && (
        <button type="button" className="btn btn-sm mb-4" onClick={() => setOpened(_id)}>
          {`Show ${formatCount(earlier)} earlier ${earlier === 1 ? 'message' : 'messages'}`}
        </button>
      )}
      <ol className="grid gap-4" aria-label="Conversation">
        {entries.map(({ _id, by, createdAt, text, fromCustomer }, i) => (
          <Entry
            key={_id}
            by={by}
            at={createdAt}
            text={text}
            fromCustomer={fromCustomer}
            isHidden={i < earlier}
          />
        ))}
      </ol>
    </>
  )
}

/** So that the newest is in view. */
const shownAtOnce = 3

interface EntryProps {
  by: string
  at: string
  text: string
  fromCustomer: boolean
  /** But on paper. */
  isHidden: boolean
}

function Entry({ by, at, text, fromCustomer, isHidden }: EntryProps) {
  return (
    <li
      className={`rounded-box border border-base-300 p-4 ${fromCustomer ? 'sm:mr-10' : 'bg-base-200 sm:ml-10'} ${isHidden ? 'not-print:hidden' : ''}`}
    >
      <p className="text-sm text-base-content/75">
        {`${by}, `}
        <time dateTime={at}>{timeFormat.format(new Date(at))}</time>
      </p>
      <p className="mt-2 whitespace-pre-line wrap-anywhere">
        <WithOrderLinks text={text} />
      </p>
    </li>
  )
}

/** What looks like an order number leads to the order. */
function WithOrderLinks({ text }: { text: string }) {
  return text.split(/(#[A-Z]{0,8}-?\d{3,12})\b/).map((piece, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
      <Link key={i} to={`/dashboard/orders/${piece.slice(1)}`} className="link">
        {piece}
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
      <Fragment key={i}>{piece}</Fragment>
    ),
  )
}
