import { adminClient } from '#app/admin/client.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { formatCount } from '#shop/money.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'

interface Props {
  part: Pick<Part, '_id' | 'name'>
  className: string
}

export function Restock({ part: { _id: partId, name }, className }: Props) {
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
          hint: 'This quantity will be added to the current stock.',
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
