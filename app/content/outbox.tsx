import { useState } from 'react'
import { data, isRouteErrorResponse, Link, useNavigation } from 'react-router'
import { shopContext } from '#app/context.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { type ListQuery, listUrl } from '#app/query-url.ts'
import { useSearchForm } from '#app/ui/behaviour/search-form.ts'
import { DateTime } from '#app/ui/date.tsx'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { SearchField } from '#app/ui/search-field.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Pagination } from '#app/ui/table/pagination.tsx'
import { outboxQuery, type StoredEmail } from '#shop/emails.ts'
import { formatTotal } from '#shop/money.ts'
import type { Route } from './+types/outbox'
import NotFound from './not-found.tsx'

const path = '/outbox'

export const meta: Route.MetaFunction = ({ loaderData }) => noindex(loaderData ? 'Outbox' : 'Not found')

export async function loader({ context, request }: Route.LoaderArgs) {
  const { outbox, shop } = context.get(shopContext)
  if (!outbox) throw data(null, 404)
  // The demo runs on two origins, and an email links to the one it was requested from.
  const origins = [shop.origin, new URL(request.url).origin]
  return { origins, list: await readList(request, outboxQuery, (query) => outbox.read(query)) }
}

/** Rendered in the browser, which alone knows the reader's time zone. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader()
}
clientLoader.hydrate = true as const

export const HydrateFallback = Spinner

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <ErrorMessage error={error} />
}

export default function OutboxPage({ loaderData: { origins, list } }: Route.ComponentProps) {
  const { rows, total, pages, isCounted, query } = list
  const { page = 1, q } = query
  const loading = useNavigation().location?.pathname === path

  return (
    <>
      <h1 className="mt-10">Outbox</h1>
      <p className="mt-3 mb-6 max-w-prose text-base-content/80">
        This demo doesn’t send email. Every email it would send appears here, where anyone can read it.
      </p>
      {total === 0 && !q ? (
        <p>No emails yet. To see one, send a message from the home page.</p>
      ) : (
        <Search query={query} />
      )}
      <p role="status" className="text-sm text-base-content/75">
        {total > 0 && `${formatTotal(total)} ${total === 1 ? 'email' : 'emails'}`}
      </p>
      {total === 0 && q && (
        <p className="py-6">
          {'No emails match. '}
          <Link to={path} className="link">
            Show all emails
          </Link>
        </p>
      )}
      <div aria-busy={loading} className={`transition-opacity ${loading ? 'opacity-60' : ''}`}>
        {rows.map((email) => (
          <Message key={email._id} email={email} origins={origins} />
        ))}
      </div>
      {pages > 1 && (
        <Pagination
          page={page}
          pages={pages}
          isCounted={isCounted}
          to={(page) => listUrl(path, { ...query, page })}
        />
      )}
    </>
  )
}

function Search({ query }: { query: ListQuery }) {
  const form = useSearchForm(listUrl(path, { ...query, page: 1 }), (params) =>
    listUrl(path, Object.fromEntries(params) as ListQuery),
  )
  return (
    <search>
      <form className="mb-4" {...form}>
        <SearchField
          className="w-full md:max-w-md"
          label="Search emails"
          placeholder="Address, subject or text"
          defaultValue={query.q}
        />
      </form>
    </search>
  )
}

function Message({ email, origins }: { email: StoredEmail; origins: string[] }) {
  const { to, replyTo, subject, text, html, createdAt, files } = email
  return (
    <article className="mt-6 grid gap-x-10 gap-y-4 border-t border-base-300 pt-6 lg:grid-cols-[20rem_1fr]">
      <header className="min-w-0">
        <h2>{subject}</h2>
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 text-sm [&_dt]:text-base-content/75">
          <dt>To</dt>
          <dd>{to}</dd>
          {replyTo && (
            <>
              <dt>Reply to</dt>
              <dd>{replyTo}</dd>
            </>
          )}
          <dt>Date</dt>
          <dd>
            <DateTime at={createdAt} />
          </dd>
          {files.length > 0 && (
            <>
              <dt>Attached</dt>
              <dd>
                {files.map(({ _id, name }) => (
                  <a key={_id} href={`${path}/files/${_id}`} className="link">
                    {name}
                  </a>
                ))}
              </dd>
            </>
          )}
        </dl>
      </header>
      <div className="min-w-0 max-w-prose">
        <p className="whitespace-pre-line">
          <Linked text={text} origins={origins} />
        </p>
        {html && <AsDocument subject={subject} html={html} />}
      </div>
    </article>
  )
}

/** Only internal URLs become links: anybody may write the text. */
function Linked({ text, origins }: { text: string; origins: string[] }) {
  return text.split(/(https?:\/\/\S+)/).map((piece, i) =>
    URL.canParse(piece) && origins.includes(new URL(piece).origin) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no id and never move
      <a key={i} href={piece} className="link">
        {piece}
      </a>
    ) : (
      piece
    ),
  )
}

function AsDocument({ subject, html }: { subject: string; html: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="link w-fit text-sm">Show HTML version</summary>
      {open && (
        <iframe
          title={`${subject}, HTML version`}
          srcDoc={html}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="mt-2 h-96 w-full border border-base-300"
        />
      )}
    </details>
  )
}
