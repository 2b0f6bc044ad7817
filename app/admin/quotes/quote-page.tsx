import { Link } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client, nullIfMissing } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { QuoteLines } from '#app/quotes/quote-lines.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { formatDay } from '#shop/dates.ts'
import { type Quote, quoteStateLabels } from '#shop/quotes/quote.ts'
import type { Route } from './+types/quote-page'
import { QuoteEditor } from './quote-form.tsx'

export const meta = () => noindex('Quote')

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  if (id === 'new') return { isNew: true, quote: null, parts: [], changes: null }
  const [quote, changes] = await Promise.all([
    adminClient.readQuote({ params: { id } }).catch(nullIfMissing),
    readRecentChanges('quote', id),
  ])
  const ids = quote?.state === 'draft' ? quote.lines.map(({ partId }) => partId) : []
  const parts = ids.length > 0 ? await client.lookUpParts({ body: { ids } }) : []
  return { isNew: false, quote, parts, changes }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function QuotePage({ loaderData }: Route.ComponentProps) {
  const { isNew, quote, parts, changes } = loaderData
  const title = quote ? `Quote ${quote.number}` : isNew ? 'New quote' : 'Quote not found'
  return (
    <>
      <Link to="/dashboard/quotes" className="mb-3 inline-block link">
        Back to quotes
      </Link>
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <h1>{title}</h1>
        {quote && <p className="font-medium">{quoteStateLabels[quote.state]}</p>}
        {quote && (quote.state === 'draft' || quote.state === 'sent') && <Withdraw quote={quote} />}
      </div>
      {isNew || quote?.state === 'draft' ? (
        <QuoteEditor key={quote?._id ?? 'new'} quote={quote} parts={parts} />
      ) : quote ? (
        <SentQuote quote={quote} />
      ) : (
        <p>It may have been removed.</p>
      )}
      <RecentChanges changes={changes} />
    </>
  )
}

function SentQuote({ quote }: { quote: Quote }) {
  const { email, name, note, lines, total, sentAt, validUntil, orderNumber, _id, state } = quote
  return (
    <div className="grid max-w-3xl gap-8">
      {state === 'accepted' && (
        <p>
          {'The customer accepted it: '}
          <Link to={`/dashboard/orders/${_id}`} className="link">{`order #${orderNumber}`}</Link>
        </p>
      )}
      {state === 'expired' && (
        <p>Nobody accepted it in time. Prepare a new one if the customer still asks.</p>
      )}
      <Facts
        title="Quote details"
        facts={[
          ['Customer', name],
          ['Email', email],
          ['Sent', sentAt && <DateTime key="sent" at={sentAt} />],
          ['Valid until', formatDay(validUntil)],
          ['Note', note],
        ]}
      />
      <QuoteLines lines={lines} total={total} />
    </div>
  )
}

function Withdraw({ quote: { _id: id, number, email, state } }: { quote: Quote }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Withdraw"
      busy={busy}
      question={`Withdraw quote ${number}?`}
      details={
        <p className="mt-2">
          {state === 'sent'
            ? `The link that ${email} got says that the quote was withdrawn.`
            : 'It was not sent yet. It stays in the list, and can’t be changed or sent any more.'}
        </p>
      }
      action="Withdraw"
      dismiss="Keep quote"
      onConfirm={() => run('Quote withdrawn', () => adminClient.withdrawQuote({ params: { id } }))}
    />
  )
}
