import { NavLink, Outlet } from 'react-router'
import { isAdmin, requireMember } from '#app/guards.ts'
import { unlisted } from '#app/meta.ts'
import { Failure } from '#app/ui/failure.tsx'
import { SignedIn } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/layout'

export const meta: Route.MetaFunction = () => unlisted('Dashboard')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { admin: await isAdmin(requireMember(request)) }
}

export const HydrateFallback = Spinner

const customerMenu = [{ to: '/dashboard', label: 'My Orders' }]

const adminMenu = [
  { to: '/dashboard/manageAllOrders', label: 'Manages All Orders' },
  { to: '/dashboard/myOrders', label: 'My Orders' },
]

export default function Dashboard({ loaderData: { admin } }: Route.ComponentProps) {
  return (
    <SignedIn>
      <div className="mt-8 grid gap-6 lg:grid-cols-[12rem_1fr]">
        <nav aria-label="Dashboard">
          <ul className="flex flex-wrap gap-x-5 lg:flex-col">
            {(admin ? adminMenu : customerMenu).map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end
                  className="block border-b-2 border-transparent py-2 hover:border-base-content/40 aria-[current=page]:border-primary lg:border-b-0 lg:border-l-2 lg:pl-4"
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          <Outlet />
        </div>
      </div>
    </SignedIn>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <SignedIn>
      <Failure error={error} />
    </SignedIn>
  )
}
