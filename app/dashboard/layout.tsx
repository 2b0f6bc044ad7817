import { NavLink, Outlet } from 'react-router'
import { brand } from '#app/brand.ts'
import { isAdmin, requireMember } from '#app/guards.ts'
import { Failure } from '#app/ui/failure.tsx'
import { SignedIn } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/layout'

export const meta: Route.MetaFunction = () => [{ title: `Dashboard · ${brand.name}` }]

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
      <div className="grid gap-6 lg:grid-cols-[12rem_1fr]">
        <nav aria-label="Dashboard">
          <ul className="menu menu-horizontal w-full gap-1 p-0 lg:menu-vertical">
            {(admin ? adminMenu : customerMenu).map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} end className={({ isActive }) => (isActive ? 'menu-active' : '')}>
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
