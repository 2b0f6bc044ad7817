import { type ComponentProps, useId } from 'react'

interface Props extends ComponentProps<'input'> {
  label: string
  error?: string | undefined
  hint?: string | undefined
}

/** A labelled input whose error stands under it and is read out with it. */
export function Field({ label, error, hint, ...input }: Props) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={`input w-full read-only:bg-base-200 ${error ? 'input-error' : ''}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...input}
      />
      {note && (
        <p id={`${id}-note`} className={`mt-1 text-sm ${error ? 'text-error' : 'text-base-content/70'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
