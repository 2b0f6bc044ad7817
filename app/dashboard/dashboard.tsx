import { useRef } from 'react'
import { NavLink, Outlet, useLocation, useNavigation } from 'react-router'
import { isAdmin, requireSignedIn } from '#app/auth/guards.ts'
import { RequireSignedIn, SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Icon } from '#app/ui/icon.tsx'
import { DashboardSkeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/dashboard'

export const meta: Route.MetaFunction = () => noindex('Dashboard')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { admin: await isAdmin(requireSignedIn(request)) }
}

export const HydrateFallback = DashboardSkeleton
export const ErrorBoundary = SignedInError

const customerMenu = [
  { to: '/dashboard', label: 'My Orders' },
  { to: '/dashboard/addReview', label: 'Add A Review' },
  { to: '/dashboard/myProfile', label: 'My Profile' },
]

const adminMenu = [
  { to: '/dashboard', label: 'Make Admin' },
  { to: '/dashboard/addProduct', label: 'Add A Product' },
  { to: '/dashboard/manageProducts', label: 'Manages Products' },
  { to: '/dashboard/manageAllOrders', label: 'Manages All Orders' },
  { to: '/dashboard/messages', label: 'Messages' },
  { to: '/dashboard/myOrders', label: 'My Orders' },
  { to: '/dashboard/myProfile', label: 'My Profile' },
]

export default function Dashboard({ loaderData: { admin } }: Route.ComponentProps) {
  const current = useLocation().pathname
  const next = useNavigation().location?.pathname
  const leaving = next !== undefined && next !== current
  return (
    <RequireSignedIn>
      <div className="mt-6 grid gap-x-10 gap-y-6 lg:mt-10 lg:grid-cols-[12rem_1fr]">
        <div className="max-lg:hidden">
          <Menu admin={admin} />
        </div>
        <Drawer admin={admin} />
        <div className={`min-w-0 ${leaving ? 'late-faint' : ''}`} aria-busy={leaving}>
          <Outlet />
        </div>
      </div>
    </RequireSignedIn>
  )
}

function Menu({ admin, onSelect }: { admin: boolean; onSelect?: () => void }) {
  return (
    <nav aria-label="Dashboard">
      <ul>
        {(admin ? adminMenu : customerMenu).map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/dashboard'}
              onClick={onSelect}
              className="block border-l-2 border-base-300 py-2 pl-4 hover:border-base-content/40 aria-[current=page]:border-primary aria-[current=page]:font-semibold max-lg:py-3"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Drawer({ admin }: { admin: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    // Stays visible while open on a widening screen: a hidden modal dialog would still block the page.
    <div className="lg:contents">
      <button
        type="button"
        className="btn btn-outline btn-sm lg:hidden"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="list" />
        Menu
      </button>
      <dialog ref={dialog} aria-label="Menu" className="drawer" closedby="any">
        <div className="flex min-h-full flex-col gap-4 p-5">
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm self-end"
            aria-label="Close menu"
            onClick={close}
          >
            <Icon name="close" />
          </button>
          <Menu admin={admin} onSelect={close} />
        </div>
      </dialog>
    </div>
  )
}
