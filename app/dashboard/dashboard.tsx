import { useEffect, useRef, useState } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { isAdmin, requireSignedIn } from '#app/auth/guards.ts'
import { RequireSignedIn, SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Icon } from '#app/ui/icon.tsx'
import { DashboardSkeleton } from '#app/ui/skeleton.tsx'
import { formatCount } from '#shop/money.ts'
import type { Route } from './+types/dashboard'

export const meta: Route.MetaFunction = () => noindex('Dashboard')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const admin = await isAdmin(requireSignedIn(request))
  // The counts are a convenience: without them, the dashboard still works.
  const worklist = admin ? await adminClient.readWorklist().catch(() => null) : null
  return { admin, worklist }
}

export const HydrateFallback = DashboardSkeleton
export const ErrorBoundary = SignedInError

interface Entry {
  to: string
  label: string
  /** Where its other screens are. */
  also?: string[] | undefined
  /** Its name beside the menu of a phone, for what is opened often. */
  short?: string
}

const customerMenu: Entry[] = [
  {
    to: '/dashboard',
    label: 'My Orders',
    also: ['myOrders', 'orders', 'payment', 'lists'],
    short: 'My Orders',
  },
  { to: '/dashboard/builds', label: 'Builds' },
  { to: '/dashboard/addReview', label: 'Add A Review' },
  { to: '/dashboard/myProfile', label: 'My Profile' },
]

const messagesEntry: Entry = { to: '/dashboard/questions', label: 'Messages', short: 'Messages' }

const adminMenu: Entry[] = [
  { to: '/dashboard/overview', label: 'Overview' },
  { to: '/dashboard', label: 'Make Admin', also: ['customers'] },
  { to: '/dashboard/addProduct', label: 'Add A Product' },
  {
    to: '/dashboard/manageProducts',
    label: 'Manages Products',
    also: ['importProducts', 'changePrices', 'replacements'],
    short: 'Products',
  },
  { to: '/dashboard/attributes', label: 'Attributes', also: ['importPartData'] },
  { to: '/dashboard/drawings', label: 'Drawings' },
  {
    to: '/dashboard/manageAllOrders',
    label: 'Manages All Orders',
    also: ['orders', 'packingSlips'],
    short: 'Orders',
  },
  { to: '/dashboard/quotes', label: 'Quotes' },
  { to: '/dashboard/messages', label: 'Messages', short: 'Messages' },
  { to: '/dashboard/reviews', label: 'Reviews' },
  { to: '/dashboard/searches', label: 'Searches' },
  { to: '/dashboard/exports', label: 'Exports' },
  { to: '/dashboard/auditLog', label: 'Audit log' },
  { to: '/dashboard/settings', label: 'Settings' },
  { to: '/dashboard/deliveryAndTax', label: 'Delivery and tax' },
  { to: '/dashboard/myOrders', label: 'My Orders' },
  { to: '/dashboard/myProfile', label: 'My Profile' },
]

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { admin, worklist } = loaderData
  const { total, unread } = useMyMessages(loaderData)
  const newMessages = admin ? (worklist?.newMessages ?? 0) : unread
  const entries = admin ? adminMenu : total > 0 ? customerMenu.toSpliced(2, 0, messagesEntry) : customerMenu
  const current = useLocation().pathname
  const next = useNavigation().location?.pathname
  const leaving = next !== undefined && next !== current
  return (
    <RequireSignedIn>
      <div className="dashboard mt-6 grid gap-x-10 gap-y-6 lg:mt-10 lg:grid-cols-[12rem_1fr]">
        <div className="max-lg:hidden">
          <Menu entries={entries} newMessages={newMessages} />
        </div>
        <Drawer entries={entries} newMessages={newMessages} />
        <div className={`min-w-0 ${leaving ? 'late-faint' : ''}`} aria-busy={leaving}>
          <Outlet />
        </div>
      </div>
    </RequireSignedIn>
  )
}

/**
 * Only who has written to the shop has messages to find again.
 * It is asked here, since a loader would ask while an admin's screen signs a customer out.
 */
function useMyMessages(loaderData: { admin: boolean }) {
  const [counts, setCounts] = useState({ total: 0, unread: 0 })
  useEffect(() => {
    if (loaderData.admin) return
    // Without the entry, the dashboard still works.
    client.listMyMessages({ body: { limit: 1 } }).then(setCounts, () => {})
  }, [loaderData])
  return counts
}

interface MenuProps {
  entries: Entry[]
  newMessages: number
  onSelect?: () => void
}

function isCurrent(pathname: string, { to, also = [] }: Entry) {
  if (to === pathname) return true
  const folders = [...(to === '/dashboard' ? [] : [to]), ...also.map((name) => `/dashboard/${name}`)]
  return folders.some((folder) => `${pathname}/`.startsWith(`${folder}/`))
}

function Menu({ entries, newMessages, onSelect }: MenuProps) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Dashboard">
      <ul>
        {entries.map((entry) => (
          <li key={entry.to} className="relative">
            <Link
              to={entry.to}
              aria-current={isCurrent(pathname, entry) ? 'page' : undefined}
              onClick={onSelect}
              className="block border-l-2 border-base-300 py-2 pl-4 hover:border-base-content/40 aria-[current]:border-primary aria-[current]:font-semibold max-lg:py-3"
            >
              {entry.label}
            </Link>
            {entry.label === 'Messages' && newMessages > 0 && (
              <span className="pointer-events-none absolute top-2.5 right-2 max-lg:top-3.5">
                <NewMessages count={newMessages} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** On a phone, without opening the menu. */
function OftenUsed({ entries, newMessages }: MenuProps) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Often used" className="flex gap-x-3 text-sm lg:hidden">
      {entries.map(
        (entry) =>
          entry.short && (
            <Link
              key={entry.to}
              to={entry.to}
              aria-current={isCurrent(pathname, entry) ? 'page' : undefined}
              className="py-2.5 whitespace-nowrap aria-[current]:font-semibold"
            >
              {entry.short}
              {entry.label === 'Messages' && newMessages > 0 && (
                <>
                  {' '}
                  <NewMessages count={newMessages} />
                </>
              )}
            </Link>
          ),
      )}
    </nav>
  )
}

function NewMessages({ count }: { count: number }) {
  return (
    <span className="inline-block rounded-full bg-primary px-2 text-sm font-semibold text-primary-content">
      {formatCount(count)}
      <span className="sr-only"> new</span>
    </span>
  )
}

function Drawer({ entries, newMessages }: MenuProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    // Stays visible while open on a widening screen: a hidden modal dialog would still block the page.
    <div className="flex flex-wrap items-center gap-x-3 lg:contents">
      <button
        type="button"
        className="btn btn-outline btn-sm lg:hidden"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="list" />
        Menu
      </button>
      <OftenUsed entries={entries} newMessages={newMessages} />
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
          <Menu entries={entries} newMessages={newMessages} onSelect={close} />
        </div>
      </dialog>
    </div>
  )
}
