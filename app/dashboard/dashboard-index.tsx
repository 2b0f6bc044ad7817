import { loadUsers, MakeAdmin } from '#app/admin/make-admin.tsx'
import { isAdmin, requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { clientLoader as loadMyOrders, MyOrders } from '#app/orders/my-orders.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/dashboard-index'

export const meta: Route.MetaFunction = ({ loaderData }) =>
  noindex(loaderData?.users ? 'Make Admin' : 'My Orders')

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const admin = await isAdmin(requireSignedIn(args.request))
  return admin ? { users: await loadUsers(args) } : { orders: await loadMyOrders(args) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Index({ loaderData }: Route.ComponentProps) {
  const { users, orders } = loaderData
  return users ? <MakeAdmin {...users} /> : <MyOrders {...orders} />
}
