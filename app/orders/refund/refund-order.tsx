import { type ChangeEvent, useId } from 'react'
import { PartName } from '#app/catalogue/part-name.tsx'
import { useOpenByHash } from '#app/orders/open-by-hash.ts'
import { TextField } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { currencySymbol, formatCount, formatDollars } from '#shop/money.ts'
import { type OrderRefundRequest, refundableQuantity } from '#shop/orders/order-refund.ts'
import { type Purchase, refundableAmount, refundableDelivery } from '#shop/orders/purchase.ts'
import { canBeRefunded } from '#shop/orders/status.ts'
import { RefundConfirmation } from './refund-confirmation.tsx'
import { sumOrderRefund, useRefundOrder } from './use-refund-order.ts'

/** Any items of an order in one refund. */
export function RefundOrder({ order, lines }: { order: Purchase; lines: Purchase[] }) {
  const refundable = lines.filter(canBeRefunded)
  const deliveryLeft = order.testPayment ? 0 : refundableDelivery(order)
  const form = useRefundOrder(order, refundable)
  const { confirming } = form
  const readOnly = confirming !== undefined
  useOpenByHash('#refund', form.open)
  if (refundable.length === 0 && deliveryLeft === 0) return null
  return (
    <>
      <button type="button" className="btn btn-sm" onClick={form.open}>
        Refund
      </button>
      <FormDialog
        ref={form.dialog}
        title={`Refund order #${order.number}`}
        onSubmit={(event) => {
          event.preventDefault()
          form.requestConfirmation()
        }}
        onClose={form.handleClose}
      >
        <fieldset className="mb-4" disabled={readOnly}>
          <legend className="mb-1 text-sm font-medium">Parts to refund</legend>
          <div className="mb-2 flex gap-2">
            <button type="button" className="btn btn-sm" onClick={form.chooseAll}>
              Whole order
            </button>
            <button type="button" className="btn btn-sm" onClick={form.clear}>
              Clear
            </button>
          </div>
          <FormError message={form.emptyError} />
          {refundable.map((line) => (
            <Row key={line._id} line={line} form={form} />
          ))}
          {deliveryLeft > 0 && <DeliveryRow left={deliveryLeft} form={form} />}
          <label className="mt-3 flex items-center gap-2">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={form.restock}
              onChange={({ target }) => form.setRestock(target.checked)}
            />
            Return these parts to stock
          </label>
          <p className="text-sm text-base-content/75" aria-live="polite">
            {form.isStillShipped
              ? 'Refunded parts that haven’t shipped will still ship. To keep them, return them to stock.'
              : refundable.some(({ toShip }) => toShip > 0)
                ? 'Parts returned to stock won’t ship.'
                : 'Only if they have come back and can be sold again.'}
          </p>
        </fieldset>
        <TextField
          label="Reason"
          rows={2}
          name="reason"
          value={form.reason}
          readOnly={readOnly}
          error={form.reasonError}
          hint="Visible to the customer."
          onChange={(event) => form.setReason(event.currentTarget.value)}
        />
        <p className="flex justify-between font-semibold" role="status">
          <span>Refund in total</span>
          <span>{formatDollars(form.total)}</span>
        </p>
        <FormError message={form.message} />
        {confirming ? (
          <RefundConfirmation
            request={{
              amount: sumOrderRefund(confirming),
              returned: confirming.lines.reduce((count, { returned }) => count + returned, 0),
            }}
            name={order.name}
            items={listItems(confirming, lines)}
            busy={form.busy}
            onConfirm={() => form.submit(confirming)}
            onEdit={form.edit}
          />
        ) : (
          <FormDialogActions label="Refund" busy={false} onCancel={() => form.dialog.current?.close()} />
        )}
      </FormDialog>
    </>
  )
}

function listItems({ lines: chosen, delivery }: OrderRefundRequest, lines: Purchase[]) {
  const items = chosen.map(({ lineId, quantity, amount }) => {
    const { parts } = lines.find(({ _id }) => _id === lineId)!
    return { key: lineId, label: quantity ? `${formatCount(quantity)} × ${parts}` : parts, amount }
  })
  return delivery ? [...items, { key: 'delivery', label: 'Delivery', amount: delivery }] : items
}

type Form = ReturnType<typeof useRefundOrder>

function DeliveryRow({ left, form }: { left: number; form: Form }) {
  const id = useId()
  const { delivery, deliveryError: error } = form
  return (
    <div className="border-t border-base-300 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span>Delivery</span>
        <span className="flex items-center gap-2 text-sm text-base-content/75">
          {currencySymbol()}
          <input
            inputMode="decimal"
            className={`input w-24 text-right ${error ? 'input-error' : ''}`}
            value={delivery}
            onChange={({ target }) => form.setDelivery(target.value)}
            aria-label="Amount of delivery"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-note` : undefined}
            autoComplete="off"
          />
          <span className="min-w-20">{`of ${formatDollars(left)}`}</span>
        </span>
      </div>
      <RowError id={id} error={error} />
    </div>
  )
}

function Row({ line, form }: { line: Purchase; form: Form }) {
  const id = useId()
  const { parts } = line
  const { quantity, amount } = form.findRow(line)
  const error = form.errorOf(line)
  const field = (name: string, value: string, onChange: (value: string) => void) => ({
    value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange(target.value),
    'aria-label': `${name} of ${parts}`,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? `${id}-note` : undefined,
    autoComplete: 'off',
  })
  return (
    <div className="border-t border-base-300 py-2">
      <p className="wrap-anywhere">
        <PartName name={parts} />
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-base-content/75">
        <input
          inputMode="numeric"
          className={`input w-16 text-right ${error ? 'input-error' : ''}`}
          {...field('Quantity', quantity, (value) => form.setQuantity(line, value))}
        />
        <span className="min-w-14">{`of ${formatCount(refundableQuantity(line))}`}</span>
        <span className="flex items-center gap-2 sm:ml-auto">
          {currencySymbol()}
          <input
            inputMode="decimal"
            className={`input w-24 text-right ${error ? 'input-error' : ''}`}
            {...field('Amount', amount, (value) => form.setAmount(line, value))}
          />
          <span className="min-w-20">{`of ${formatDollars(refundableAmount(line))}`}</span>
        </span>
      </div>
      <RowError id={id} error={error} />
    </div>
  )
}

function RowError({ id, error }: { id: string; error: string | null | undefined }) {
  if (!error) return null
  return (
    <p id={`${id}-note`} className="text-sm text-error">
      {error}
    </p>
  )
}
