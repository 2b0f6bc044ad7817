import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { formatDay } from '#shop/dates.ts'
import { formatCount } from '#shop/money.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'
import { deliveryForm, type ExpectedDelivery } from '#shop/stock/delivery.ts'

interface Props {
  part: Part
  deliveries: ExpectedDelivery[]
}

export function Deliveries({ part, deliveries }: Props) {
  return (
    <section aria-labelledby="deliveries" className="mb-10 max-w-3xl">
      <h2 id="deliveries" className="mb-2">
        Expected deliveries
      </h2>
      <p className="mb-4 text-sm text-base-content/75">
        While the part is sold out, its page shows customers the next one.
      </p>
      {deliveries.length > 0 && (
        <ul className="mb-4 border-t border-base-300">
          {deliveries.map((delivery) => (
            <NamedRow key={delivery._id} name={describeDelivery(delivery)}>
              <Delivery delivery={delivery} />
            </NamedRow>
          ))}
        </ul>
      )}
      <DialogForm
        button={{ label: 'Add expected delivery', className: 'btn btn-sm' }}
        title="Add expected delivery"
        action="Add expected delivery"
        unknownOutcome="We couldn’t confirm that the delivery was added. Select Add expected delivery again without changes (it won’t be added twice), or cancel and check the list."
        schema={deliveryForm}
        initial={{ expectedOn: '', quantity: '' }}
        fields={[
          { name: 'expectedOn', label: 'Expected on', type: 'date' },
          { name: 'quantity', label: 'Quantity', inputMode: 'numeric' },
        ]}
        send={async (request) => {
          await adminClient.addDelivery({ params: { partId: part._id }, ...request })
          return 'Expected delivery added'
        }}
      />
    </section>
  )
}

function describeDelivery({ quantity, expectedOn }: ExpectedDelivery) {
  return `${formatCount(quantity)} on ${formatDay(expectedOn)}`
}

function Delivery({ delivery }: { delivery: ExpectedDelivery }) {
  const { _id: id, quantity, overdue } = delivery
  const { busy, run } = useAction()
  const contents = describeDelivery(delivery)
  return (
    <li
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-3 border-b border-base-300 py-3"
    >
      <p>
        {contents}
        {overdue && <span className="ml-2 font-medium text-error">Overdue</span>}
      </p>
      <div className="flex gap-2">
        <DialogForm
          button={{ label: 'Receive', className: 'btn btn-primary btn-sm' }}
          title={`Receive the delivery of ${contents}`}
          action="Receive"
          unknownOutcome="We couldn’t confirm that the stock was updated. Select Receive again with the same quantity (it won’t be added twice), or cancel and check the stock."
          schema={restockForm}
          initial={{ arrived: String(quantity) }}
          fields={[
            {
              name: 'arrived',
              label: 'Quantity received',
              inputMode: 'numeric',
              hint: 'If fewer have arrived, the rest stays expected.',
            },
          ]}
          send={async ({ body, key }) => {
            const request = { params: { id }, body: { ...body, expected: quantity }, key }
            const { availableQuantity } = await adminClient.receiveDelivery(request)
            return `${formatCount(availableQuantity)} in stock`
          }}
        />
        <ConfirmButton
          label="Remove"
          busy={busy}
          question={`Remove the expected delivery of ${contents}?`}
          action="Remove delivery"
          dismiss="Keep delivery"
          onConfirm={() =>
            run('Expected delivery removed', () => adminClient.removeDelivery({ params: { id } }))
          }
        />
      </div>
    </li>
  )
}
