import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readSuggestions } from '#app/admin/products/product.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatCount } from '#shop/money.ts'
import { attributeQuery, type ListedAttribute } from '#shop/specifications/attribute.ts'
import { attributeKindLabels } from '#shop/specifications/kinds.ts'
import { describeUnit } from '#shop/specifications/units.ts'
import type { Route } from './+types/attributes'
import { DeleteAttribute } from './delete-attribute.tsx'

const columns: Column[] = [
  { head: 'Name', sort: 'name' },
  { head: 'Parts in' },
  { head: 'Values' },
  { head: 'Filter' },
  { head: 'Parts', kind: 'number' },
  { head: 'Action', isEnd: true },
]

export const meta = () => noindex('Attributes')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [list, { categories }] = await Promise.all([
    readList(request, attributeQuery, (body) => adminClient.listAttributes({ body }), { size: 100 }),
    readSuggestions(),
  ])
  return { list, categories }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Attributes({ loaderData: { list, categories } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Attributes">
        <Link to="/dashboard/importPartData" className="btn btn-sm">
          Part data
        </Link>
        <Link to="/dashboard/attributes/new" className="btn btn-primary btn-sm">
          New attribute
        </Link>
      </PageHeading>
      <p className="mb-5 max-w-prose">
        What can be said of parts: a rotor’s diameter, a cassette’s speeds. You enter the values on the page
        of each product, or import them. Customers see them as specifications, in this order.
      </p>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ name, category }) => (category ? `${name} of ${category}` : name)}
        noun={['attribute', 'attributes']}
        searchPlaceholder="Name, category or choice"
        filters={[
          {
            name: 'category',
            label: 'Category',
            options: [
              { value: '', label: 'All categories' },
              ...categories.map((category) => ({ value: category, label: category })),
            ],
          },
        ]}
        defaultSort={{ label: 'As parts show them' }}
        empty={
          <p>
            {'No attributes yet. '}
            <Link to="/dashboard/attributes/new" className="link">
              Add an attribute
            </Link>
          </p>
        }
      />
    </>
  )
}

function cells(attribute: ListedAttribute) {
  const { _id, name, category, kind, unit, choices, isFilter, parts } = attribute
  return [
    <Link key="name" to={`/dashboard/attributes/${_id}`} className="link font-medium wrap-anywhere">
      {name}
    </Link>,
    category || 'All categories',
    <div key="values">
      <p>{`${attributeKindLabels[kind]}${unit ? ` in ${describeUnit(unit)}` : ''}`}</p>
      <p className="line-clamp-2 max-w-xs text-sm text-base-content/75 wrap-anywhere empty:hidden">
        {choices.join(', ')}
      </p>
    </div>,
    isFilter ? 'Yes' : 'No',
    formatCount(parts),
    <Actions key="action" attribute={attribute} />,
  ]
}

function Actions({ attribute }: { attribute: ListedAttribute }) {
  const { _id: id, name } = attribute
  const { busy, run } = useAction()
  const move = (direction: 'up' | 'down') =>
    run(`${name} moved ${direction}`, () =>
      adminClient.moveAttribute({ params: { id }, body: { direction } }),
    )
  return (
    <div className="flex gap-1 max-md:justify-end md:flex-nowrap max-sm:flex-wrap">
      <RowLink to={`/dashboard/attributes/${id}`} className="btn btn-sm md:btn-xs">
        Edit
      </RowLink>
      <ArmedButton className="btn btn-sm md:btn-xs" busy={busy} onClick={() => move('up')}>
        Up
      </ArmedButton>
      <ArmedButton className="btn btn-sm md:btn-xs" busy={busy} onClick={() => move('down')}>
        Down
      </ArmedButton>
      <DeleteAttribute attribute={attribute} className="btn btn-sm md:btn-xs" />
    </div>
  )
}
