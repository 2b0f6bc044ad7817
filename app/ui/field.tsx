import { type ComponentProps, type ReactNode, useId } from 'react'

interface Words {
  label: string
  error?: string | undefined
  hint?: string | undefined
}

/** A labelled input whose error stands under it and is read out with it. */
export function Field({ label, error, hint, ...input }: Words & ComponentProps<'input'>) {
  const id = useId()
  const words = { label, error, hint }
  return (
    <Labelled id={id} {...words}>
      <input
        className={`input w-full read-only:bg-base-200 ${error ? 'input-error' : ''}`}
        {...tie(id, words)}
        {...input}
      />
    </Labelled>
  )
}

/** As Field, for text of several lines. */
export function TextField({ label, error, hint, ...textarea }: Words & ComponentProps<'textarea'>) {
  const id = useId()
  const words = { label, error, hint }
  return (
    <Labelled id={id} {...words}>
      <textarea
        className={`textarea w-full read-only:bg-base-200 ${error ? 'textarea-error' : ''}`}
        rows={4}
        {...tie(id, words)}
        {...textarea}
      />
    </Labelled>
  )
}

function tie(id: string, { error, hint }: Words) {
  return {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': (error ?? hint) ? `${id}-note` : undefined,
  }
}

function Labelled({ id, label, error, hint, children }: Words & { id: string; children: ReactNode }) {
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
