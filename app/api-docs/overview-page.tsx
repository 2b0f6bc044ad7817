import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { maxBodyBytes } from '#api/call.ts'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/overview-page'
import { type IndexGroup, readCallGroups, toIndex } from './call-groups.server.ts'
import { CopiedCode } from './copied-code.tsx'
import { DocsLayout } from './docs-layout.tsx'
import { writeSignIn } from './sign-in-example.ts'

export const meta: Route.MetaFunction = () => noindex('API')

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const groups = await readCallGroups(shop)
  const first = groups.flatMap(({ calls }) => calls).find(({ name }) => name === 'listParts')!
  return {
    index: toIndex(groups),
    first: first.example,
    signIn: writeSignIn(shop.reader.origin, shop.identity, shop.accounts[0]),
    maxBody: `${maxBodyBytes / 1024} KB`,
  }
}

const errors = [
  ['400', 'The request is invalid; fields has a message for each field that is'],
  ['401', 'The token is missing, expired or revoked'],
  ['402', 'The card was declined'],
  ['403', 'You don’t have access'],
  ['404', 'There is nothing at this address'],
  ['409', 'The state has changed since you read it; message says what it is now'],
  ['413', 'The request body is too large'],
  ['415', 'The request body isn’t JSON'],
  ['429', 'Too many requests; Retry-After has the number of seconds to wait'],
  ['503', 'The shop, or a service that it needs, is unavailable; try again'],
]

const errorExample = JSON.stringify(
  {
    message: 'Check the fields.',
    fields: { quantity: ['Purchase atleast minimum 48 quantity.'] },
  },
  null,
  2,
)

export default function ApiOverview({ loaderData: { index, first, signIn, maxBody } }: Route.ComponentProps) {
  useOldAnchor(index)
  return (
    <DocsLayout
      title={`${brand.name} API`}
      index={index}
      intro={
        <p className="prose-text">
          The shop’s own pages use this API, and so can you: read the catalogue, fill a basket, place and pay
          orders, and do what admins do. The OpenAPI document is at{' '}
          <a href="/api/openapi.json" className="link">
            /api/openapi.json
          </a>
          . A purchase is one item of an order: a part and its quantity.{' '}
          <a href="#calls" className="link">
            All calls
          </a>
        </p>
      }
    >
      <section aria-labelledby="first" className="mt-8">
        <h2 id="first" className="text-lg">
          First request
        </h2>
        <p className="prose-text mt-2 mb-4">Anyone can read the catalogue, without an account.</p>
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <CopiedCode title="Request" text={first.request.text} copyLabel="Copy the first request" />
          <CopiedCode title="Answer" text={first.answer} />
        </div>
      </section>
      <section aria-labelledby="authentication" className="mt-10">
        <h2 id="authentication" className="text-lg">
          Authentication
        </h2>
        <p className="prose-text mt-2 mb-4">
          Calls that anyone may make need no token. For the others, sign in and send the token in the{' '}
          <code>Authorization</code> header. It expires after an hour. The requests on these pages expect it
          in <code>$TOKEN</code>; these commands put it there.
        </p>
        <CopiedCode title="Sign in" text={signIn} copyLabel="Copy the commands that sign in" />
      </section>
      <section aria-labelledby="errors" className="mt-10">
        <h2 id="errors" className="text-lg">
          Errors
        </h2>
        <p className="prose-text mt-2 mb-4">
          Every error has a <code>message</code> that you can show to users.
        </p>
        <div className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
          <dl className="border-t border-base-300 text-sm">
            {errors.map(([status, meaning]) => (
              <div key={status} className="flex gap-x-4 border-b border-base-300 py-1.5">
                <dt className="w-10 shrink-0 font-mono">{status}</dt>
                <dd className="min-w-0">{meaning}</dd>
              </div>
            ))}
          </dl>
          <CopiedCode title="Answer with status 400" text={errorExample} />
        </div>
      </section>
      <section aria-labelledby="pagination" className="mt-10">
        <h2 id="pagination" className="text-lg">
          Pagination
        </h2>
        <p className="prose-text mt-2">
          Lists are arrays. Request a page with <code>limit</code> and <code>page</code>; the header{' '}
          <code>X-Total-Count</code> has the total, at most 10,001.
        </p>
      </section>
      <section aria-labelledby="limits" className="mt-10">
        <h2 id="limits" className="text-lg">
          Limits
        </h2>
        <p className="prose-text mt-2">
          A request body is at most {maxBody}, but for files. Calls that create something or send email have a
          limit per hour, which is among their errors. Send an <code>Idempotency-Key</code> header with calls
          that create something: repeating a call with the same key returns the first response and creates
          nothing new.
        </p>
      </section>
      <section aria-labelledby="calls" className="mt-10">
        <h2 id="calls" className="scroll-mt-6 text-lg">
          Calls
        </h2>
        <ul className="mt-2 border-t border-base-300">
          {index.map(({ noun, sentence, path, calls }) => (
            <li key={noun} className="border-b border-base-300">
              <Link
                to={path}
                className="grid grid-cols-[1fr_auto] gap-x-4 py-2 hover:bg-base-200 sm:grid-cols-[12rem_1fr_auto]"
              >
                <span className="font-semibold">{noun}</span>
                <span className="text-sm text-base-content/80 max-sm:row-start-2">{sentence}</span>
                <span className="text-right text-sm text-base-content/75">{`${calls.length} calls`}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </DocsLayout>
  )
}

/** All calls were on this page once: links to them go on to the page where they are. */
function useOldAnchor(index: IndexGroup[]) {
  const navigate = useNavigate()
  const { hash } = useLocation()
  useEffect(() => {
    const name = hash.slice(1)
    const group = index.find(({ calls }) => calls.some((call) => call.name === name))
    if (group) navigate(`${group.path}#${name}`, { replace: true })
  }, [hash, index, navigate])
}
