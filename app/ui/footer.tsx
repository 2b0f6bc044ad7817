import { Link } from 'react-router'
import { brand } from '#app/brand.ts'

export function Footer() {
  return (
    <footer className="mt-12 bg-neutral text-neutral-content">
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-6 px-4 py-8">
        <div>
          <p className="font-semibold">{brand.name}</p>
          <p className="mt-1 text-sm">{brand.tagline}</p>
        </div>
        <nav aria-label="Footer" className="flex flex-col gap-1 text-sm">
          <Link to="/parts" className="link-hover">
            Parts
          </Link>
          <Link to="/dashboard" className="link-hover">
            Dashboard
          </Link>
          <a href="/api/openapi.json" className="link-hover">
            API
          </a>
        </nav>
      </div>
    </footer>
  )
}
