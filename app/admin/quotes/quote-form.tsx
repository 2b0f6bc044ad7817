import { type KeyboardEvent, useRef, useState } from 'react'
import { adminClient } from '#app/admin/client.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatDollars } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { type Quote, sumQuote } from '#shop/quotes/quote.ts'
import type { User } from '#shop/users/user.ts'
import { FindPart } from './find-part.tsx'
import { QuotedPart } from './quoted-part.tsx'
import { useQuoteForm } from './use-quote-form.ts'

interface Props {
  /** Null for a new one. */
  quote: Quote | null
  parts: PartSummary[]
}

export function QuoteEditor({ quote, parts }: Props) {
  const { form, known, message, addPart, removePart, submit } = useQuoteForm(quote, parts)
  const { register, watch, setValue, formState } = form
  const { errors, isSubmitting } = formState
  const lines = watch('lines')
  const total = sumQuote(
    lines.map(({ quantity, unitPrice }) => ({
      quantity: Number(quantity) || 0,
      unitPrice: Number(unitPrice) || 0,
    })),
  )
  return (
    <form method="post" noValidate className="max-w-3xl" onSubmit={submit(false)}>
      <h2 className="mb-3 text-base">Customer</h2>
      <CustomerFields
        email={{ ...register('email'), error: errors.email?.message }}
        name={{ ...register('name'), error: errors.name?.message }}
        onFound={({ name }) => setValue('name', name, { shouldDirty: true, shouldValidate: true })}
      />
      <h2 className="mt-4 mb-3 text-base">Items</h2>
      <FindPart onFound={addPart} />
      <ul className="border-t border-base-300">
        {lines.map((line, index) => (
          <QuotedPart
            key={line.partId}
            form={form}
            index={index}
            part={known.find(({ _id }) => _id === line.partId)}
            name={quote?.lines.find(({ partId }) => partId === line.partId)?.parts}
            onRemove={() => removePart(line.partId)}
          />
        ))}
      </ul>
      {(errors.lines?.message ?? errors.lines?.root?.message) && (
        <p role="alert" className="mt-2 text-sm text-error">
          {errors.lines?.message ?? errors.lines?.root?.message}
        </p>
      )}
      <p className="flex justify-between gap-6 py-3 text-lg font-semibold" aria-live="polite">
        <span>Total</span> <span>{formatDollars(total)}</span>
      </p>
      <label className="mb-6 flex items-center gap-3">
        <input type="checkbox" className="checkbox checkbox-sm" {...register('belowMinimum')} />
        Allow less than the minimum quantity, and any multiple
      </label>
      <Field
        label="Valid until"
        type="date"
        error={errors.validUntil?.message}
        hint="The last day on which the customer can accept it."
        {...register('validUntil')}
      />
      <TextField
        label="Note"
        optional
        rows={3}
        hint="The customer reads it in the email and beside the prices."
        error={errors.note?.message}
        {...register('note')}
      />
      <FormError message={message} />
      <div className="mt-2 flex flex-wrap gap-3">
        <button type="button" className="btn btn-primary" aria-disabled={isSubmitting} onClick={submit(true)}>
          Send quote
        </button>
        <SubmitButton busy={isSubmitting} className="" quiet>
          Save draft
        </SubmitButton>
      </div>
    </form>
  )
}

type Registered = ReturnType<ReturnType<typeof useQuoteForm>['form']['register']> & {
  error: string | undefined
}

interface CustomerProps {
  email: Registered
  name: Registered
  onFound: (user: User) => void
}

/** Suggests accounts by email address or name; an address without an account can be typed, too. */
function CustomerFields({ email, name, onFound }: CustomerProps) {
  const [found, setFound] = useState<User[]>([])
  const last = useRef('')

  async function suggest(q: string) {
    last.current = q
    const known = found.find((user) => user.email === q.trim().toLowerCase())
    if (known) return onFound(known)
    if (q.trim().length < 2) return setFound([])
    // Without suggestions, the address can still be typed.
    const { rows } = await adminClient.listUsers({ body: { q, limit: 8 } }).catch(() => ({ rows: [] }))
    if (last.current === q) setFound(rows)
  }

  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <div>
        <Field
          label="Email"
          type="email"
          autoComplete="off"
          list="customers"
          hint="Type an email address, or a customer’s name to find one."
          hintStays
          {...email}
          onChange={(event) => {
            email.onChange(event)
            suggest(event.target.value)
          }}
          onKeyDown={keepForm}
        />
        <datalist id="customers">
          {found.map((user) => (
            <option key={user._id} value={user.email}>
              {user.name}
            </option>
          ))}
        </datalist>
      </div>
      <Field label="Name" autoComplete="off" {...name} />
    </div>
  )
}

/** Enter chooses a suggestion. */
function keepForm(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault()
}
