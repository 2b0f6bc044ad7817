import { Link } from 'react-router'
import type { Part } from '#shop/parts/part.ts'
import { filtersUrl } from './filters.ts'

export function breadcrumbSteps(part: Part) {
  return [
    { name: 'Home', path: '/' },
    { name: 'Parts', path: '/parts' },
    ...(part.category ? [{ name: part.category, path: filtersUrl({ category: [part.category] }) }] : []),
    { name: part.name, path: `/parts/${part._id}` },
  ]
}

export function Breadcrumb({ part }: { part: Part }) {
  const steps = breadcrumbSteps(part)
  return (
    <nav aria-label="Breadcrumb" className="mt-8 text-sm text-base-content/75">
      <ol className="flex flex-wrap">
        {steps.map(({ name, path }, i) => (
          <li key={path} className="not-first:before:px-2 not-first:before:content-['/']">
            {i < steps.length - 1 ? (
              <Link to={path} className="hover:underline">
                {name}
              </Link>
            ) : (
              <span aria-current="page">{name}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
