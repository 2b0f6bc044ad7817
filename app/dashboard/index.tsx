import { isAdmin, requireMember } from '#app/guards.ts'
import { unlisted } from '#app/meta.ts'
import { SignedInFailure } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/index'
import { loadUsers, MakeAdmin } from './admin/make-admin.tsx'
import { loadMyOrders, MyOrders } from './my-orders.tsx'

export const meta: Route.MetaFunction = ({ loaderData }) =>
  unlisted(loaderData?.users ? 'Make Admin' : 'My Orders')

/** What is looked at first: whoever runs the shop sees its users, everybody else their orders. */
export async function clientLoader(args: Route.ClientLoaderArgs) {
  const admin = await isAdmin(requireMember(args.request))
  return admin ? { users: await loadUsers(args) } : { orders: await loadMyOrders(args) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInFailure

export default function Index({ loaderData }: Route.ComponentProps) {
  const { users, orders } = loaderData
  return users ? <MakeAdmin list={users} /> : <MyOrders list={orders} />
}
