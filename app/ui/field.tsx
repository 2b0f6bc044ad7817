import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldText {
  label: string
  error?: string | undefined
  hint?: string | undefined
  /** Whether the hint stays below an error. */
  hintStays?: boolean
  /** Other editable fields are marked as required. */
  optional?: boolean
}

/** `beside` stands to the right of the input. */
export function Field({ beside, ...props }: FieldText & { beside?: ReactNode } & ComponentProps<'input'>) {
  const { text, control: input } = split(props)
  const id = useId()
  const element = (
    <input
      className={`input w-full read-only:bg-base-200 ${text.error ? 'input-error' : ''}`}
      {...controlProps(id, text, input)}
      {...input}
    />
  )
  return (
    <Labelled id={id} {...text} isMarked={isRequired(text, input)}>
      {beside ? (
        <div className="flex gap-2">
          {element}
          {beside}
        </div>
      ) : (
        element
      )}
    </Labelled>
  )
}

export function TextField(props: FieldText & ComponentProps<'textarea'>) {
  const { text, control: textarea } = split(props)
  const id = useId()
  return (
    <Labelled id={id} {...text} isMarked={isRequired(text, textarea)}>
      <textarea
        className={`textarea w-full read-only:bg-base-200 ${text.error ? 'textarea-error' : ''}`}
        rows={4}
        {...controlProps(id, text, textarea)}
        {...textarea}
      />
    </Labelled>
  )
}

export function SelectField({ children, ...props }: FieldText & ComponentProps<'select'>) {
  const { text, control: select } = split(props)
  const id = useId()
  return (
    <Labelled id={id} {...text} isMarked={isRequired(text, select)}>
      {/* The browser’s own look shortens a long option. */}
      <select className="select w-full appearance-none" {...controlProps(id, text, select)} {...select}>
        {children}
      </select>
    </Labelled>
  )
}

function split<Props extends FieldText>({ label, error, hint, hintStays, optional, ...control }: Props) {
  return { text: { label, error, hint, hintStays, optional } as FieldText, control }
}

interface Control {
  readOnly?: boolean | undefined
  disabled?: boolean | undefined
  type?: string
}

function isRequired({ optional }: FieldText, { readOnly, disabled }: Control) {
  return !optional && !readOnly && !disabled
}

function controlProps(id: string, text: FieldText, control: Control) {
  const { error, hint } = text
  return {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    // ARIA does not allow it on a file input.
    'aria-required': (isRequired(text, control) && control.type !== 'file') || undefined,
    'aria-describedby': (error ?? hint) ? `${id}-note` : undefined,
  }
}

interface LabelledProps extends FieldText {
  id: string
  isMarked: boolean
  children: ReactNode
}

function Labelled({ id, label, error, hint, hintStays, isMarked, children }: LabelledProps) {
  const note = error ?? hint
  return (
    <div className="mb-4">
      <div className="mb-1 flex gap-1 text-sm font-medium">
        <label htmlFor={id}>{label}</label>
        {isMarked && (
          <span aria-hidden="true" title="Required" className="text-error">
            *
          </span>
        )}
      </div>
      {children}
      {note && (
        <p id={`${id}-note`} className={`mt-1 text-sm ${error ? 'text-error' : 'text-base-content/70'}`}>
          {note}
        </p>
      )}
      {error && hint && hintStays && <p className="mt-1 text-sm text-base-content/70">{hint}</p>}
    </div>
  )
}
