import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldText {
  label: string
  error?: string | undefined
  hint?: string | undefined
}

export function Field({ label, error, hint, ...input }: FieldText & ComponentProps<'input'>) {
  const id = useId()
  const text = { label, error, hint }
  return (
    <Labelled id={id} {...text}>
      <input
        className={`input w-full read-only:bg-base-200 ${error ? 'input-error' : ''}`}
        {...inputProps(id, text)}
        {...input}
      />
    </Labelled>
  )
}

export function TextField({ label, error, hint, ...textarea }: FieldText & ComponentProps<'textarea'>) {
  const id = useId()
  const text = { label, error, hint }
  return (
    <Labelled id={id} {...text}>
      <textarea
        className={`textarea w-full read-only:bg-base-200 ${error ? 'textarea-error' : ''}`}
        rows={4}
        {...inputProps(id, text)}
        {...textarea}
      />
    </Labelled>
  )
}

function inputProps(id: string, { error, hint }: FieldText) {
  return {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': (error ?? hint) ? `${id}-note` : undefined,
  }
}

function Labelled({ id, label, error, hint, children }: FieldText & { id: string; children: ReactNode }) {
  const note = error ?? hint
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children}
      {note && (
        <p id={`${id}-note`} className={`mt-1 text-sm ${error ? 'text-error' : 'text-base-content/70'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
