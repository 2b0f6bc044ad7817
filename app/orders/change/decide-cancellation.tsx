import { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { requiredText } from '#shop/fields.ts'

interface Props {
  /** Of the request. */
  id: string
  /** What the customer asks to cancel. */
  contents: string
  onDecided?: () => void
}

const declineForm = z.object({ message: requiredText('Message is required', 1_000) })

export function DecideCancellation({ id, contents, onDecided = () => {} }: Props) {
  const { busy, run } = useAction()
  const refund = () =>
    run('Refunded and cancelled', async () => {
      await adminClient.decideCancellation({ params: { id }, body: { decision: 'refund' } })
      onDecided()
    })
  return (
    <>
      <ConfirmButton
        label="Refund and cancel"
        className="btn btn-primary btn-sm"
        busy={busy}
        question={`Refund and cancel ${contents}?`}
        details={
          <p className="mt-2">
            The customer gets back what is left of the price, with a credit note by email. The parts return to
            stock.
          </p>
        }
        action="Refund and cancel"
        dismiss="Keep items"
        onConfirm={refund}
      />
      <DialogForm
        button={{ label: 'Decline', className: 'btn btn-sm', ariaLabel: `Decline to cancel ${contents}` }}
        title={`Decline to cancel ${contents}`}
        schema={declineForm}
        initial={{ message: '' }}
        fields={[
          {
            name: 'message',
            label: 'Message',
            rows: 4,
            hint: 'We email it to the customer.',
            maxLength: 1_000,
          },
        ]}
        action="Decline and send"
        send={async ({ body }) => {
          await adminClient.decideCancellation({ params: { id }, body: { ...body, decision: 'decline' } })
          return 'Declined, and emailed to the customer'
        }}
        onDone={onDecided}
      />
    </>
  )
}
