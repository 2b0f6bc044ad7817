import { Link } from 'react-router'
import { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { describeStockAfter } from '#app/admin/stock/restock.tsx'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { formatCount } from '#shop/money.ts'
import { type Product, restockForm } from '#shop/parts/part.ts'

const maxParts = 100

export function ProductSelectionActions({ selection }: { selection: Selection<Product> }) {
  const { rows } = selection
  const ids = rows.map(({ _id }) => _id)
  return (
    <>
      {rows.length > maxParts ? (
        <p className="text-sm">{`Restock or change prices: select at most ${maxParts} parts.`}</p>
      ) : (
        <>
          <RestockSelected parts={rows} onRestocked={selection.clear} />
          <Link
            to={`/dashboard/changePrices?${new URLSearchParams({ ids: ids.join(',') })}`}
            className="btn btn-sm"
          >
            Change prices
          </Link>
        </>
      )}
      <ExportButtons
        download={(format, options) =>
          adminClient.exportSelectedProducts({ body: { ids, format }, ...options })
        }
      />
    </>
  )
}

const quantity = z.preprocess(
  (typed) => (typed === '' ? undefined : typed),
  restockForm.shape.arrived.optional(),
) as z.ZodType<number | undefined, string>

/** Empty fields are left out; at least one is filled in. */
const quantitiesForm = z
  .object({ quantities: z.object({}).catchall(quantity) })
  .refine(({ quantities }) => Object.values(quantities).some((arrived) => arrived !== undefined), {
    path: ['root'],
    error: 'Enter at least one quantity',
  })

interface RestockProps {
  parts: Product[]
  onRestocked: () => void
}

function RestockSelected({ parts, onRestocked }: RestockProps) {
  return (
    <DialogForm
      button={{
        label: `Restock ${formatCount(parts.length)} ${parts.length === 1 ? 'part' : 'parts'}`,
        className: 'btn btn-primary btn-sm',
      }}
      title="Restock parts"
      intro={<p className="mb-4 text-sm">These quantities will be added to the current stock.</p>}
      schema={quantitiesForm}
      initial={{ quantities: Object.fromEntries(parts.map(({ _id }) => [_id, ''])) }}
      fields={parts.map(({ _id, name, availableQuantity }) => ({
        name: `quantities.${_id}` as const,
        label: name,
        optional: true,
        inputMode: 'numeric' as const,
        hint: (arrived: string) => describeStockAfter(availableQuantity, arrived),
      }))}
      action="Add to stock"
      unknownOutcome="We couldn’t confirm that the stock was updated. Select Add to stock again with the same quantities (they won’t be added twice), or cancel and check the stock."
      send={async ({ body: { quantities }, key }) => {
        const arrivals = Object.entries(quantities).flatMap(([partId, arrived]) =>
          arrived === undefined ? [] : [{ partId, arrived }],
        )
        await adminClient.restockParts({ body: { arrivals }, key })
        return `${formatCount(arrivals.length)} ${arrivals.length === 1 ? 'part' : 'parts'} restocked`
      }}
      onDone={onRestocked}
    />
  )
}
