import { adminClient } from '#app/admin/client.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { formatCount } from '#shop/money.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'

interface Props {
  part: Pick<Part, '_id' | 'name' | 'availableQuantity'>
  className: string
}

export function Restock({ part: { _id: partId, name, availableQuantity }, className }: Props) {
  return (
    <DialogForm
      button={{ label: 'Restock', className }}
      title={`Restock ${name}`}
      schema={restockForm}
      initial={{ arrived: '' }}
      fields={[
        {
          name: 'arrived',
          label: 'Quantity received',
          inputMode: 'numeric',
          hint: (arrived) => describeStockAfter(availableQuantity, arrived),
        },
      ]}
      action="Add to stock"
      unknownOutcome="We couldn’t confirm that the stock was updated. Select Add to stock again with the same quantity (it won’t be added twice), or cancel and check the stock."
      send={async (request) => {
        const { availableQuantity } = await adminClient.restockPart({ params: { partId }, ...request })
        return `${name}: ${formatCount(request.body.arrived)} added, ${formatCount(availableQuantity)} in stock`
      }}
    />
  )
}

/** Such as `48 in stock, 60 after restocking`. */
export function describeStockAfter(stock: number, typed: string) {
  const { data: arrived } = restockForm.shape.arrived.safeParse(typed)
  const now = `${formatCount(stock)} in stock`
  return arrived ? `${now}, ${formatCount(stock + arrived)} after restocking` : now
}
