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
        alt="404, its zero a punctured wheel"
        width="960"
        height="480"
        className="plate w-full max-w-2xl"
      />
      <h1 className="mt-4">This page has rolled away</h1>
      <p className="max-w-prose text-base-content/80">
        The address may be mistyped, or what stood here is no longer sold.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/" className="btn btn-primary">
          Home
        </Link>
        <Link to="/parts" className="btn">
          All parts
        </Link>
      </div>
    </section>
  )
}
