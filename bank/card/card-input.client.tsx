import { type ChangeEvent, type ComponentProps, useId, useRef } from 'react'
import { formatKeepingCaret } from './caret.client.ts'

interface Props extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  error: string | undefined
  format: (value: string) => string
  mark?: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

export function CardInput({ label, error, format, mark, onChange, ...input }: Props) {
  const id = useId()
  const previous = useRef('')
  const descriptionId = error ? `${id}-note` : mark && `${id}-mark`

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { inputType } = event.nativeEvent as InputEvent
    formatKeepingCaret(event.target, inputType, previous.current, format)
    previous.current = event.target.value
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
          aria-describedby={descriptionId || undefined}
          required
          {...input}
          onFocus={({ target }) => {
            previous.current = target.value
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
