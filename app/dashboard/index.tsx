import { redirect } from 'react-router'
import { isAdmin, requireMember } from '#app/guards.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/index'
import MyOrders, { clientLoader as loadMyOrders } from './my-orders.tsx'

export async function clientLoader(args: Route.ClientLoaderArgs) {
  if (await isAdmin(requireMember(args.request))) throw redirect('/dashboard/manageAllOrders')
  return loadMyOrders(args)
}

export const HydrateFallback = Spinner

export default MyOrders
