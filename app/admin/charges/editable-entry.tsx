import { type ReactNode, useState } from 'react'

interface Props {
  title: string
  /** What it says while it is closed. */
  summary: string
  noun: 'zone' | 'rate'
  isNew: boolean
  /** Opens it. */
  hasError: boolean
  onRemove: () => void
  children: ReactNode
}

/** A zone or a rate: its fields are shown once it is opened. */
export function EditableEntry({ title, summary, noun, isNew, hasError, onRemove, children }: Props) {
  const [isOpen, setIsOpen] = useState(isNew)
  const open = isOpen || hasError
  return (
    <li className="mb-3 rounded-box border border-base-300">
      <details open={open} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="cursor-pointer px-4 py-3">
          <span className="font-medium wrap-anywhere">{title}</span>
          <span className="mt-0.5 block text-sm wrap-anywhere text-base-content/75">{summary}</span>
        </summary>
        {open && (
          <div className="border-t border-base-300 px-4 pt-4 pb-3">
            {children}
            <button
              type="button"
              className="btn btn-sm"
              aria-label={`Remove ${noun} ${title}`}
              onClick={onRemove}
            >
              {`Remove ${noun}`}
            </button>
          </div>
        )}
      </details>
    </li>
  )
}
