import type { UseFormReturn } from 'react-hook-form'
import { describePurchase } from '#app/orders/lines.tsx'
import { useOpenByHash } from '#app/orders/open-by-hash.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { formatCount, formatDollars, shortCurrencyName } from '#shop/money.ts'
import { type Purchase, type RefundRequest, refundableAmount } from '#shop/orders/purchase.ts'
import { canBeRefunded } from '#shop/orders/status.ts'
import { RefundConfirmation } from './refund-confirmation.tsx'
import { focusContentOnRemoval, type RefundInput, useRefund } from './use-refund.ts'

export function RefundDialog({ line }: { line: Purchase }) {
  const { dialog, form, formError, confirming, busy, open, requestConfirmation, edit, submit, handleClose } =
    useRefund(line)
  useOpenByHash('#refund', () => canBeRefunded(line) && open())
  const readOnly = confirming !== undefined
  return (
    <>
      {canBeRefunded(line) && (
        <button ref={focusContentOnRemoval} type="button" className="btn btn-sm" onClick={open}>
          Refund
        </button>
      )}
      <FormDialog
        ref={dialog}
        title={`Refund ${describePurchase(line)}`}
        onSubmit={requestConfirmation}
        onClose={handleClose}
      >
        <Fields form={form} line={line} readOnly={readOnly} />
        <FormError message={formError.message} />
        {confirming ? (
          <RefundConfirmation
            request={confirming}
            name={line.name}
            items={[{ key: line._id, label: line.parts, amount: confirming.amount }]}
            busy={busy}
            onConfirm={() => submit(confirming)}
            onEdit={edit}
          />
        ) : (
          <FormDialogActions label="Refund" busy={false} onCancel={() => dialog.current?.close()} />
        )}
      </FormDialog>
    </>
  )
}

interface FieldsProps {
  form: UseFormReturn<RefundInput, unknown, RefundRequest>
  line: Purchase
  readOnly: boolean
}

function Fields({ form, line, readOnly }: FieldsProps) {
  const { register, setValue, formState } = form
  const { errors } = formState
  const returnable = line.quantity - line.returnedQuantity
  return (
    <>
      <Field
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        readOnly={readOnly}
        error={errors.amount?.message}
        hint={`In ${shortCurrencyName()}, up to ${formatDollars(refundableAmount(line))}`}
        {...register('amount')}
      />
      <TextField
        label="Reason"
        rows={2}
        readOnly={readOnly}
        error={errors.reason?.message}
        hint="Visible to the customer."
        {...register('reason')}
      />
      <div className="flex items-start gap-3">
        <div className="grow">
          <Field
            label="Return to stock"
            inputMode="numeric"
            autoComplete="off"
            readOnly={readOnly}
            error={errors.returned?.message}
            hint={line.toShip > 0 ? 'Parts returned to stock won’t ship.' : undefined}
            {...register('returned')}
          />
        </div>
        {!readOnly && returnable > 0 && (
          <button
            type="button"
            className="btn mt-6"
            onClick={() => setValue('returned', returnable, { shouldValidate: true })}
          >
            {`Return all ${formatCount(returnable)}`}
          </button>
        )}
      </div>
    </>
  )
}
