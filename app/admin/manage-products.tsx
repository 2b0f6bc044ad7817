import { Link, useLocation } from 'react-router'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { Picture } from '#app/catalogue/picture.tsx'
import { ApiError, client } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { showError } from '#app/ui/toast.ts'
import { useAction } from '#app/ui/use-action.ts'
import { formatDollars } from '#shop/money.ts'
import { type Part, partQuery } from '#shop/parts/part.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import type { Route } from './+types/manage-products'
import { Restock } from './restock.tsx'

const columns = [
  { head: 'Name', sort: 'name' },
  { head: 'Img' },
  { head: 'Minimum Quantity', sort: 'minQuantity' },
  { head: 'Available Quantity', sort: 'availableQuantity' },
  { head: 'Price(PerUnit)', sort: 'price' },
  { head: 'Action' },
]

const stocks = [
  { value: '', label: 'All parts' },
  { value: 'true', label: 'In stock' },
]

export const meta = () => noindex('Manages Products')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const list = await readList(request, partQuery, ({ available, ...query }) => {
    const sort = query.sort ?? '-added'
    return client.listProducts({ body: { ...query, sort, available: available ? 'true' : undefined } })
  })
  return { list }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageProducts({ loaderData: { list } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-5">Manages Products</h1>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        noun={['part', 'parts']}
        searchPlaceholder="Name, brand, category or words"
        filter={{ name: 'available', label: 'Stock', options: stocks }}
        empty={<p>There is no part in the shop yet.</p>}
      />
    </>
  )
}

function cells(part: Part) {
  return [
    <EditLink key="name" part={part} className="link">
      {part.name}
    </EditLink>,
    <div key="img" className="plate w-16">
      <Picture src={part.image} alt="" sizes="4rem" className="aspect-4/3 w-full object-cover" />
    </div>,
    part.minQuantity,
    <Available key="available" part={part} />,
    formatDollars(part.perUnitPrice),
    <Actions key="action" part={part} />,
  ]
}

/** Passes on the query string, so that the form can link back to the same list. */
function EditLink({ part, ...link }: { part: Part; className: string; children: string }) {
  const { search } = useLocation()
  return <Link to={`/dashboard/manageProducts/${part._id}`} state={{ list: search }} {...link} />
}

function Available({ part }: { part: Part }) {
  if (!isSoldOut(part)) return part.availableQuantity
  return (
    <span>
      {part.availableQuantity} <span className="font-semibold text-error">Sold out</span>
    </span>
  )
}

function Actions({ part }: { part: Part }) {
  return (
    <div className="flex flex-wrap gap-2 max-md:justify-end md:min-w-34 xl:flex-nowrap">
      <EditLink part={part} className="btn btn-sm">
        Edit
      </EditLink>
      <Restock part={part} />
      <Delete part={part} />
    </div>
  )
}

function Delete({ part: { _id, name } }: { part: Part }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Delete"
      busy={busy}
      question={`Are you sure to delete this ${name} Bicycle Parts?`}
      action="Delete"
      onConfirm={() => run(`Product: ${name} is deleted`, () => remove(_id, name))}
    />
  )
}

/** Throws ApiError with this page's message; any cause but a 404 gets a toast of its own. */
async function remove(id: string, name: string) {
  const message = `Product: ${name} is not deleted`
  const { deletedCount } = await client.deleteProduct({ params: { id } }).catch((error) => {
    const status = error instanceof ApiError ? error.status : 0
    if (status !== 404) showError(error)
    throw new ApiError(status, message)
  })
  if (deletedCount === 0) throw new ApiError(409, message)
}
