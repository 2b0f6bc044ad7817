import { type ChangeEvent, type ComponentProps, useId, useRef } from 'react'
import { formatKeepingCaret } from './caret.client.ts'

interface Props extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  error: string | undefined
  /** How what is typed stands there. */
  format: (typed: string) => string
  /** What the field says of what is typed, at its end. */
  mark?: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A field of digits that stand as on the card. What is wrong stands under it and is read out with it. */
export function CardInput({ label, error, format, mark, onChange, ...input }: Props) {
  const id = useId()
  const before = useRef('')
  const note = error ? `${id}-note` : mark && `${id}-mark`

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { inputType } = event.nativeEvent as InputEvent
    formatKeepingCaret(event.target, inputType, before.current, format)
    before.current = event.target.value
    onChange(event)
  }

  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          className={`input w-full ${error ? 'input-error' : ''}`}
          inputMode="numeric"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={note || undefined}
          required
          {...input}
          onFocus={({ target }) => {
            before.current = target.value
          }}
          onChange={change}
        />
        {mark && (
          <span
            id={`${id}-mark`}
            className="pointer-events-none absolute inset-y-0 right-3 z-1 my-auto h-fit rounded-field border border-base-300 bg-base-200 px-1.5 text-xs"
          >
            {mark}
          </span>
        )}
      </div>
      {error && (
        <p id={`${id}-note`} className="mt-1 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}
