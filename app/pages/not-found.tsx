import { data, Link } from 'react-router'
import { brand } from '#app/brand.ts'
import type { Route } from './+types/not-found'

export const meta: Route.MetaFunction = () => [{ title: `Not found · ${brand.name}` }]

export function loader() {
  return data(null, 404)
}

export default function NotFound() {
  return (
    <section className="flex flex-col items-center gap-6 py-12 text-center">
      <img
        src="/not-found.svg"
        alt="404: this page has rolled away"
        width="480"
        height="240"
        className="w-full max-w-lg"
      />
      <Link to="/" className="btn btn-primary">
        Home
      </Link>
    </section>
  )
}
