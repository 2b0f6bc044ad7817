import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { PartName } from '#app/catalogue/part-name.tsx'
import { useOpenByHash } from '#app/orders/open-by-hash.ts'
import { focusContentOnRemoval } from '#app/orders/refund/use-refund.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { formatCount } from '#shop/money.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeCut } from '#shop/orders/ship/shipment.ts'
import { canBeShipped } from '#shop/orders/status.ts'
import { TrackingFields } from './tracking-fields.tsx'
import { useShipItems } from './use-ship-items.ts'

/** A button that opens a form with what is left to ship of an order. */
export function ShipItems({ order, lines }: { order: Purchase; lines: Purchase[] }) {
  const shippable = lines.filter(canBeShipped)
  const { dialog, form, formError, doubt, busy, open, clear, fill, submit, handleClose } = useShipItems(
    order,
    shippable,
  )
  useOpenByHash('#ship', () => shippable.length > 0 && open())
  const { register, watch, formState } = form
  const { errors } = formState
  const { quantities, ...tracking } = watch()
  const left = describeLeft(shippable, quantities)
  const label = order.collected ? 'Mark as ready to collect' : 'Ship items'
  const doubted = doubt.find(tracking)
  const action = doubted ? 'Ship anyway' : (describeShare(shippable, quantities, order.collected) ?? label)
  return (
    <>
      {shippable.length > 0 && (
        <button
          ref={focusContentOnRemoval}
          type="button"
          className="btn btn-primary btn-sm mt-3"
          onClick={open}
        >
          {label}
        </button>
      )}
      <FormDialog
        ref={dialog}
        title={`${order.collected ? 'Ready to collect of' : 'Ship items of'} order #${order.number}`}
        onSubmit={submit}
        onClose={handleClose}
      >
        <fieldset className="mb-4">
          <legend className="mb-1 text-sm font-medium">
            {order.collected ? 'Quantities that are ready' : 'Quantities in this shipment'}
          </legend>
          {shippable.length > 1 && (
            <div className="mb-2 flex gap-2">
              <button type="button" className="btn btn-sm" onClick={clear}>
                Clear quantities
              </button>
              <button type="button" className="btn btn-sm" onClick={fill}>
                Whole order
              </button>
            </div>
          )}
          {shippable.map((line) => (
            <Quantity
              key={line._id}
              line={line}
              error={errors.quantities?.[line._id]?.message}
              {...register(`quantities.${line._id}`)}
            />
          ))}
        </fieldset>
        <p role="status" className="mb-4 text-sm empty:hidden">
          {left}
        </p>
        {!order.collected && (
          <TrackingFields register={register} errors={errors} carrier={tracking.carrier} doubt={doubted} />
        )}
        <FormError message={formError.message} />
        <FormDialogActions label={action} busy={busy} onCancel={() => dialog.current?.close()} />
      </FormDialog>
    </>
  )
}

/** Counts what is entered; what is no quantity counts as none. */
function describeLeft(lines: Purchase[], quantities: Record<string, number | string> = {}) {
  const entered = (line: Purchase) => countEntered(line, quantities)
  const whole = lines.filter((line) => entered(line) === line.toShip).length
  if (lines.some((line) => isCut(entered(line), line))) {
    const later = lines.map((line) => ({ ...line, quantity: line.toShip - entered(line) }))
    return `Ships later, in another shipment: ${describeLines(later.filter(({ quantity }) => quantity > 0))}.`
  }
  return whole === 0 ? '' : describeCut(whole, lines.length)
}

/** What the button does when that is not all; null when it is, or nothing is entered. */
function describeShare(
  lines: Purchase[],
  quantities: Record<string, number | string> = {},
  collected: boolean,
): string | null {
  const entered = lines.map((line) => ({ count: countEntered(line, quantities), toShip: line.toShip }))
  const chosen = entered.filter(({ count }) => count > 0)
  if (chosen.length === 0 || entered.every(({ count, toShip }) => count === toShip)) return null
  const [verb, after] = collected ? ['Mark', ' as ready to collect'] : ['Ship', '']
  const [only] = chosen
  if (entered.length === 1)
    return `${verb} ${formatCount(only!.count)} of ${formatCount(only!.toShip)}${after}`
  const share =
    chosen.length < entered.length && !chosen.some(({ count, toShip }) => isCut(count, { toShip }))
      ? `${formatCount(chosen.length)} of ${formatCount(entered.length)} items`
      : 'part of the order'
  return `${verb} ${share}${after}`
}

function isCut(count: number, { toShip }: Pick<Purchase, 'toShip'>) {
  return count > 0 && count < toShip
}

function countEntered({ _id, toShip }: Purchase, quantities: Record<string, number | string>) {
  return Math.min(Number(quantities[_id]) || 0, toShip)
}

interface QuantityProps extends UseFormRegisterReturn {
  line: Purchase
  error: string | undefined
}

function Quantity({ line: { parts, toShip }, error, ...input }: QuantityProps) {
  const id = useId()
  return (
    <div className="border-t border-base-300 py-2">
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="min-w-0 grow wrap-anywhere">
          <PartName name={parts} />
        </label>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-left ${id}-note` : `${id}-left`}
          className={`input w-20 shrink-0 text-right ${error ? 'input-error' : ''}`}
          {...input}
        />
        <span id={`${id}-left`} className="min-w-14 shrink-0 text-sm text-base-content/75">
          {`of ${formatCount(toShip)}`}
        </span>
      </div>
      {error && (
        <p id={`${id}-note`} className="text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}
