import { Form, Link, redirect } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { PartCard } from '#app/ui/part-card.tsx'
import { partQuery } from '#shop/parts/part.ts'
import { listParts } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/parts'

const perPage = 24

export const meta: Route.MetaFunction = () => [{ title: `Bicycle Parts · ${brand.name}` }]

export async function loader({ context, request }: Route.LoaderArgs) {
  const given = Object.fromEntries(new URL(request.url).searchParams)
  const { q, page } = partQuery.pick({ q: true, page: true }).catch({ q: undefined, page: 1 }).parse(given)
  const { rows, total } = await listParts(context.get(shopContext).shop, { q, limit: perPage, page })
  const pages = Math.ceil(total / perPage)
  if (page > pages && pages > 0)
    throw redirect(`/parts?${new URLSearchParams({ ...(q && { q }), page: String(pages) })}`)
  return { q: q ?? '', page, parts: rows, total, pages }
}

export default function Parts({ loaderData: { q, page, parts, total, pages } }: Route.ComponentProps) {
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-3xl font-semibold tracking-tight">Bicycle Parts</h1>
        <Form role="search" className="flex w-full gap-2 sm:w-auto">
          <input
            type="search"
            name="q"
            defaultValue={q}
            key={q}
            aria-label="Search parts"
            placeholder="Chain, rotor, saddle"
            className="input flex-1 sm:w-64"
          />
          <button type="submit" className="btn btn-primary">
            Search
          </button>
        </Form>
      </div>

      {total === 0 ? (
        <p className="py-16 text-center">
          {`Nothing is named like “${q}”. `}
          <Link to="/parts" className="link">
            See all parts
          </Link>
        </p>
      ) : (
        <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
          {parts.map((part) => (
            <PartCard key={part._id} part={part} />
          ))}
        </div>
      )}
      {pages > 1 && <Pages q={q} page={page} pages={pages} />}
    </>
  )
}

function Pages({ q, page, pages }: { q: string; page: number; pages: number }) {
  const to = (page: number) => `/parts?${new URLSearchParams({ ...(q && { q }), page: String(page) })}`
  return (
    <nav aria-label="Pages" className="mt-8 flex items-center justify-center gap-4">
      {page > 1 && (
        <Link to={to(page - 1)} className="btn" rel="prev">
          Previous
        </Link>
      )}
      <span>{`Page ${page} of ${pages}`}</span>
      {page < pages && (
        <Link to={to(page + 1)} className="btn" rel="next">
          Next
        </Link>
      )}
    </nav>
  )
}
