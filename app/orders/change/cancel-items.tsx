import { DateTime } from '#app/ui/date.tsx'
import { TextField } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { formatDollars } from '#shop/money.ts'
import {
  type CancellationRequest,
  type Cancellations,
  canCancelPaid,
} from '#shop/orders/change/cancellation.ts'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import { sumRefund } from '#shop/orders/order-refund.ts'
import { type Purchase, refundableAmount, refundableDelivery } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'
import { DecideCancellation } from './decide-cancellation.tsx'
import { useCancelItems } from './use-cancel-items.ts'

interface Props {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  cancellations: Cancellations | null
  admin: boolean
  own: boolean
}

/** Of a paid order: what its customer can cancel until it ships, and what waits for an admin's answer. */
export function CancelItems({ order, lines, cancellations, admin, own }: Props) {
  if (!cancellations) return null
  const { rule, requests } = cancellations
  const asked = new Set(requests.flatMap(({ lineIds }) => lineIds))
  const left = lines.filter((line) => canCancelPaid(line) && !asked.has(line._id))
  return (
    <>
      {own && <CancelDialog order={order} all={lines} lines={left} isAsked={rule === 'on request'} />}
      {requests.map((request) => (
        <Request key={request._id} request={request} lines={lines} admin={admin} own={own} />
      ))}
    </>
  )
}

function Request({
  request,
  lines,
  admin,
  own,
}: Pick<Props, 'lines' | 'admin' | 'own'> & { request: CancellationRequest }) {
  const { _id, lineIds, createdAt, reason } = request
  const contents = describeLines(lines.filter(({ _id }) => lineIds.includes(_id)))
  return (
    <div className="w-full rounded-box border border-warning p-4">
      <p>
        {own ? `You asked to cancel ${contents}, ` : `The customer asks to cancel ${contents}, `}
        <DateTime at={createdAt} />
        {own && !admin && '. We’ll email you our answer.'}
      </p>
      {reason && <p className="mt-1 text-sm whitespace-pre-line wrap-anywhere">{`“${reason}”`}</p>}
      {admin && (
        <div className="mt-3 flex flex-wrap gap-3">
          <DecideCancellation id={_id} contents={contents} />
        </div>
      )}
    </div>
  )
}

interface DialogProps extends Pick<Props, 'order' | 'lines'> {
  /** Those that can be cancelled, and the rest of the order. */
  all: Purchase[]
  isAsked: boolean
}

function CancelDialog({ order, lines, all, isAsked }: DialogProps) {
  const { dialog, form, message, open, submit, handleClose } = useCancelItems(order, lines)
  const { register, watch, formState } = form
  const chosen = lines.filter(({ _id }) => lines.length === 1 || watch('lines').includes(_id))
  const others = all.filter((line) => !chosen.includes(line))
  // As `refundItems` does: nothing of the order is delivered then.
  const isAll = others.every((line) => line.shippedQuantity === 0 && orderStatus(line) === 'refunded')
  const delivery = isAll ? refundableDelivery(order) : 0
  const refund = sumRefund([
    ...chosen.map((line) => ({ amount: refundableAmount(line) })),
    { amount: delivery },
  ])
  const refunded = `${formatDollars(refund)}${delivery > 0 ? `, ${formatDollars(delivery)} of it for delivery,` : ''}`

  function chooseAll() {
    const ids = lines.map(({ _id }) => _id)
    form.setValue('lines', ids, { shouldValidate: formState.isSubmitted })
  }

  function describeOutcome() {
    if (refund === 0) return 'Choose the items to cancel. We refund them to the card you paid with.'
    return isAsked
      ? `We’ll check whether it has been packed, and email you our answer. If we cancel it, we refund ${refunded} to the card you paid with.`
      : `We refund ${refunded} to the card you paid with. Cancelled items can’t be restored; you can order them again.`
  }

  const label = isAsked ? 'Ask to cancel' : order.lineCount === 1 ? 'Cancel order' : 'Cancel items'
  return (
    <>
      {lines.length > 0 && (
        <button type="button" className="btn btn-sm" onClick={open}>
          {label}
        </button>
      )}
      <FormDialog
        ref={dialog}
        title={`${label}: order #${order.number}`}
        onSubmit={submit}
        onClose={handleClose}
      >
        {lines.length > 1 ? (
          <fieldset className="mb-4">
            <legend className="mb-1 text-sm font-medium">Items to cancel</legend>
            <button type="button" className="mb-2 btn btn-sm" onClick={chooseAll}>
              {lines.length < all.length ? 'All of these' : 'Whole order'}
            </button>
            {lines.map((line) => (
              <label key={line._id} className="flex items-center gap-3 border-t border-base-300 py-2">
                <input
                  type="checkbox"
                  className="checkbox checkbox-sm"
                  value={line._id}
                  {...register('lines')}
                />
                <span className="min-w-0 grow wrap-anywhere">{describeLine(line)}</span>
                <span className="whitespace-nowrap">{formatDollars(refundableAmount(line))}</span>
              </label>
            ))}
            {formState.errors.lines && (
              <p role="alert" className="text-sm text-error">
                {formState.errors.lines.message}
              </p>
            )}
          </fieldset>
        ) : (
          <p className="mb-4">{describeLines(lines)}</p>
        )}
        <p className="mb-4" aria-live="polite">
          {describeOutcome()}
        </p>
        <TextField
          label="Reason"
          optional
          rows={2}
          error={formState.errors.reason?.message}
          {...register('reason')}
        />
        <FormError message={message} />
        <FormDialogActions
          label={
            isAsked ? 'Send request' : `Cancel and refund${refund > 0 ? ` ${formatDollars(refund)}` : ''}`
          }
          busy={formState.isSubmitting}
          dismiss={chosen.length < all.length ? 'Keep items' : 'Keep order'}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}
