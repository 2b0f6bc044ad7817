import { adminClient } from '#app/admin/client.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { currencySymbol, formatDollars } from '#shop/money.ts'
import { type Product, partChangeFields } from '#shop/parts/part.ts'
import { productInput } from './product.ts'

const priceForm = partChangeFields.pick({ perUnitPrice: true })

/** Its price, which opens a dialog that changes it alone. */
export function ChangePrice({ part }: { part: Product }) {
  const { _id: partId, name, image, perUnitPrice: before } = part
  const label = formatDollars(before)
  return (
    <DialogForm
      button={{
        label,
        ariaLabel: `${label}, change price of ${name}`,
        className: 'cursor-pointer py-1 underline decoration-dotted underline-offset-4',
      }}
      title={`Change price of ${name}`}
      schema={priceForm}
      initial={{ perUnitPrice: before }}
      fields={[
        {
          name: 'perUnitPrice',
          label: `Price (in ${currencySymbol()})`,
          inputMode: 'numeric',
          hint: 'Orders that have already been placed keep their prices.',
        },
      ]}
      action="Save price"
      send={async ({ body: { perUnitPrice }, key }) => {
        await adminClient.updatePart({
          params: { partId },
          body: { ...productInput(part), image, perUnitPrice },
          key,
        })
        return `${name}: ${label} → ${formatDollars(perUnitPrice)}`
      }}
    />
  )
}
