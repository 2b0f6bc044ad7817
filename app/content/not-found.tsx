import { data, Link } from 'react-router'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/not-found'

export const meta: Route.MetaFunction = () => noindex('Not found')

export function loader() {
  return data(null, 404)
}

export default function NotFound() {
  return (
    <section className="mt-10 flex flex-col items-center gap-5 text-center">
      <img
        src="/not-found.svg"
        alt="404, with a flat tyre as the zero"
        width="960"
        height="480"
        className="plate w-full max-w-2xl"
      />
      <h1 className="mt-4">Page not found</h1>
      <p className="max-w-prose text-base-content/80">
        Check the address. If you were looking for a part, we may no longer sell it.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/" className="btn btn-primary">
          Go to home page
        </Link>
        <Link to="/parts" className="btn">
          Browse parts
        </Link>
      </div>
    </section>
  )
}
