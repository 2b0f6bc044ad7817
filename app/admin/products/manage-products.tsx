import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { Restock } from '#app/admin/stock/restock.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { Picture } from '#app/catalogue/picture.tsx'
import { ApiError } from '#app/client.ts'
import { readList, type withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { type ListQuery, listUrl } from '#app/query-url.ts'
import { useSelection } from '#app/ui/behaviour/selection.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { maxSelected } from '#app/ui/table/selection-bar.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatCount } from '#shop/money.ts'
import { type Product, productQuery } from '#shop/parts/part.ts'
import { stockLabel } from '#shop/parts/stock.ts'
import type { Route } from './+types/manage-products'
import { ChangePrice } from './change-price.tsx'
import { readSuggestions } from './product.ts'
import { ProductSelectionActions } from './product-selection.tsx'

const columns: Column[] = [
  { head: 'Name', sort: 'name', className: 'xl:w-full' },
  { head: 'Img' },
  { head: 'Minimum Quantity', kind: 'number', sort: 'minQuantity' },
  { head: 'Available Quantity', kind: 'number', sort: 'availableQuantity' },
  { head: 'Price(PerUnit)', kind: 'number', sort: 'price' },
  { head: 'Action', isEnd: true },
]

const stocks = [
  { value: '', label: 'All parts' },
  { value: 'in stock', label: 'In stock' },
  { value: 'low', label: 'Low stock' },
  { value: 'sold out', label: 'Sold out' },
  { value: 'to reorder', label: 'To reorder' },
]

const bestMatchFirst = { label: 'Best match', opposite: { value: '-added', label: 'Newest first' } }

export const meta = () => noindex('Manages Products')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const reading = readList(request, productQuery, ({ available: _, ...query }) => {
    const sort = query.sort ?? (query.q ? 'relevance' : '-added')
    return adminClient.listProducts({ body: { ...query, sort } })
  })
  const [list, { categories }, views] = await Promise.all([reading, readSuggestions(), readViews('products')])
  return { list, categories, views }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageProducts({ loaderData: { list, categories, views } }: Route.ComponentProps) {
  const selection = useSelection(list.rows)
  const { page: _, sort: __, ...filters } = list.query
  return (
    <>
      <PageHeading title="Manages Products">
        <ExportButtons
          download={(format, options) =>
            adminClient.exportProducts({ body: { ...listedProducts(list.query), format }, ...options })
          }
        />
        <Link to="/dashboard/importProducts" className="btn btn-sm">
          Import CSV
        </Link>
        <Link to="/dashboard/importPartData" className="btn btn-sm">
          Part data
        </Link>
        <Link to={listUrl('/dashboard/changePrices', filters)} className="btn btn-sm">
          Change prices
        </Link>
        <Link to="/dashboard/replacements" className="btn btn-sm">
          Replacements
        </Link>
      </PageHeading>
      <SavedViews list="products" views={views} />
      <div className="products">
        <ListTable
          list={list}
          columns={columns}
          cells={cells}
          rowName={({ name }) => name}
          noun={['part', 'parts']}
          // The header has “Search parts”.
          searchLabel="Search products"
          searchPlaceholder="Name, part number, brand or description"
          filters={[
            { name: 'category', label: 'Category', options: categoryOptions(categories) },
            { name: 'stock', label: 'Stock', options: stocks },
          ]}
          {...(list.query.q && { defaultSort: bestMatchFirst })}
          selecting={{
            selection,
            readAll: () => readFirst(list.query),
            actions: <ProductSelectionActions selection={selection} />,
          }}
          empty={
            <p>
              {'No products yet. '}
              <Link to="/dashboard/addProduct" className="link">
                Add a product
              </Link>
            </p>
          }
        />
      </div>
    </>
  )
}

/** In the order in which the page lists them. */
function listedProducts({ page: _, available: __, ...query }: ListQuery): ReturnType<typeof withoutPage> {
  return { ...query, sort: query.sort ?? (query.q ? 'relevance' : '-added') }
}

/** In the order of the page, as many as the call gives at a time. */
async function readFirst(query: ListQuery) {
  const rows: Product[] = []
  for (let page = 1; rows.length < maxSelected; page++) {
    const read = await adminClient.listProducts({ body: { ...listedProducts(query), limit: 100, page } })
    rows.push(...read.rows)
    if (rows.length >= read.total || read.rows.length === 0) break
  }
  return rows
}

function categoryOptions(categories: string[]) {
  return [
    { value: '', label: 'All categories' },
    ...categories.map((category) => ({ value: category, label: category })),
  ]
}

function cells(part: Product) {
  return [
    <div key="name">
      <EditLink part={part} className="link">
        {part.name}
      </EditLink>
      <p className="text-sm text-base-content/70">{part.partNumber}</p>
    </div>,
    <div key="img" className="plate w-16 max-md:w-full">
      <Picture src={part.image} alt="" sizes="4rem" className="aspect-4/3 w-full object-cover" />
    </div>,
    formatCount(part.minQuantity),
    <Available key="available" part={part} />,
    <ChangePrice key="price" part={part} />,
    <Actions key="action" part={part} />,
  ]
}

/** Passes on the query string, so that the form can link back to the same list. */
function EditLink({ part, ...link }: { part: Product } & Omit<ComponentProps<typeof Link>, 'to' | 'part'>) {
  const { search } = useLocation()
  return <Link to={`/dashboard/manageProducts/${part._id}`} state={{ list: search }} {...link} />
}

function Available({ part }: { part: Product }) {
  const level = stockLabel(part)
  return (
    <div>
      {`${formatCount(part.availableQuantity)} `}
      {level !== 'In stock' && (
        <p className={`text-sm font-semibold whitespace-nowrap ${level === 'Sold out' ? 'text-error' : ''}`}>
          {level === 'Sold out' ? level : 'Low stock'}
        </p>
      )}
      {part.reorderPoint !== null && part.availableQuantity <= part.reorderPoint && (
        <p className="text-sm font-semibold">{`Reorder at ${formatCount(part.reorderPoint)}`}</p>
      )}
    </div>
  )
}

/** Three of them fit beside each other on a tablet. */
const smallButton = 'btn btn-sm md:btn-xs xl:btn-sm'

function Actions({ part }: { part: Product }) {
  return (
    <div className="flex gap-1 xl:gap-2">
      <EditLink part={part} className={smallButton} aria-label={`Edit, ${part.name}`}>
        Edit
      </EditLink>
      <Restock part={part} className={smallButton} />
      <Delete part={part} />
    </div>
  )
}

function Delete({ part: { _id, name } }: { part: Product }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Delete"
      busy={busy}
      className={smallButton}
      question={`Are you sure to delete this ${name} Bicycle Parts?`}
      action="Delete"
      onConfirm={() => run(`Product: ${name} is deleted`, () => remove(_id, name))}
    />
  )
}

/** Throws ApiError with this page's message; any cause but a 404 gets a toast of its own. */
async function remove(id: string, name: string) {
  const message = `Product: ${name} is not deleted`
  const { deletedCount } = await adminClient.deleteProduct({ params: { id } }).catch((error) => {
    const status = error instanceof ApiError ? error.status : 0
    if (status !== 404) showError(error)
    throw new ApiError(status, message)
  })
  if (deletedCount === 0) throw new ApiError(409, message)
}
