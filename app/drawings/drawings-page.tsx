import { Link } from 'react-router'
import { Picture } from '#app/catalogue/picture.tsx'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { listDrawings } from '#shop/drawings/drawings.server.ts'
import { formatCount } from '#shop/money.ts'
import type { Route } from './+types/drawings-page'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Drawings',
    description:
      'Assembly drawings to order from: find a part by its place, or order all for any number of bikes.',
    path: '/drawings',
  })

export async function loader({ context }: Route.LoaderArgs) {
  return { drawings: await listDrawings(context.get(shopContext).reader) }
}

export default function DrawingsPage({ loaderData: { drawings } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10">Drawings</h1>
      <p className="mt-3 max-w-prose">
        Find a part by its place, or order all parts of a drawing for any number of bikes.
      </p>
      {drawings.length === 0 && (
        <p className="mt-6">
          No drawings yet.{' '}
          <Link to="/parts" className="link">
            Browse parts
          </Link>
        </p>
      )}
      <ul className="mt-8 grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {drawings.map(({ _id, title, image, parts }) => (
          <li key={_id}>
            <Link to={`/drawings/${_id}`} className="group block">
              <Picture
                src={image}
                alt=""
                sizes="(width < 40rem) 92vw, 24rem"
                className="plate aspect-4/3 w-full object-cover"
              />
              <span className="mt-3 block text-lg font-semibold group-hover:underline">{title}</span>
              <span className="text-base-content/75">
                {`${formatCount(parts)} ${parts === 1 ? 'part' : 'parts'}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
