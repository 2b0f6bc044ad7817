import { brand } from '#app/brand.ts'
import { useCompany } from '#app/company.ts'
import { PathLink } from '#app/ui/behaviour/path-link.tsx'
import { Logo } from './logo.tsx'

const columns = [
  {
    title: 'Shop',
    links: [
      { to: '/parts', label: 'All parts' },
      { to: '/parts?available=true', label: 'In stock' },
      { to: '/quick-order', label: 'Quick order' },
      { to: '/dashboard/myOrders', label: 'My Orders' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: '/blogs', label: 'Blogs' },
      { to: '/portfolio', label: 'Portfolio' },
      { to: '/#contact', label: 'Contact' },
    ],
  },
  {
    title: 'Help',
    links: [
      { to: '/terms', label: 'Terms of sale' },
      { to: '/privacy', label: 'Privacy' },
      { to: '/returns', label: 'Returns' },
    ],
  },
]

export function Footer() {
  const company = useCompany()
  return (
    <footer className="columns bg-neutral py-12 text-neutral-content">
      <div className="flex flex-wrap justify-between gap-x-16 gap-y-10">
        <div>
          <Logo className="h-9 [&_.fill-primary]:fill-flame" />
          <p className="mt-4 text-lg font-[680] font-stretch-[116%]">{company.name}</p>
          <p className="mt-1 text-neutral-content/80">{brand.tagline}</p>
          <address className="mt-3 text-sm text-neutral-content/80 not-italic">
            <p>{company.address}</p>
            <p>{company.phone}</p>
          </address>
        </div>
        <div className="grid grow grid-cols-2 gap-x-10 gap-y-8 sm:max-w-xl sm:grid-cols-3">
          {columns.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className="text-base">{title}</h2>
              <ul className="mt-3 text-neutral-content/80">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <PathLink
                      to={to}
                      className="inline-block py-1 hover:text-neutral-content hover:underline"
                    >
                      {label}
                    </PathLink>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  )
}
