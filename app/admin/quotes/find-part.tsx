import { useId, useRef, useState } from 'react'
import { adminClient } from '#app/admin/client.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Product } from '#shop/parts/part.ts'

interface Props {
  label?: string
  /** What is done with a part. */
  verb?: string
  problem?: string | undefined
  onFound: (part: Product) => void
}

/** By its name or number. Enter takes the first one. */
export function FindPart({ label = 'Add a part', verb = 'Add', problem, onFound }: Props) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Product[] | null>(null)
  const [error, setError] = useState<string>()
  const last = useRef('')
  const id = useId()

  async function search(q: string) {
    setTyped(q)
    setError(undefined)
    last.current = q
    if (q.trim() === '') return setFound(null)
    try {
      const { rows } = await adminClient.listProducts({ body: { q, limit: 6 } })
      if (last.current === q) setFound(rows)
    } catch (failure) {
      if (last.current === q) setError(errorText(failure))
    }
  }

  function add(part: Product) {
    onFound(part)
    last.current = ''
    setTyped('')
    setFound(null)
    document.getElementById(id)?.querySelector('input')?.focus()
  }

  return (
    <div id={id}>
      <Field
        label={label}
        optional
        autoComplete="off"
        value={typed}
        error={error ?? problem}
        hint={`By its name or part number. Enter ${verb.toLowerCase()}s the first one.`}
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (found?.[0]) add(found[0])
        }}
      />
      <p role="status" className="sr-only">
        {found && `${formatCount(found.length)} ${found.length === 1 ? 'part' : 'parts'} found`}
      </p>
      {found && (
        <ul className="-mt-2 mb-4 rounded-box border border-base-300">
          {found.length === 0 && <li className="p-3 text-sm">No parts match.</li>}
          {found.map((part) => (
            <li key={part._id} className="border-b border-base-300 last:border-0">
              <button
                type="button"
                className="flex w-full flex-wrap justify-between gap-x-4 p-3 text-left hover:bg-base-200"
                onClick={() => add(part)}
              >
                <span className="wrap-anywhere">{`${verb} ${part.name}`}</span>
                <span className="text-sm text-base-content/75">
                  {`${part.partNumber}, ${formatDollars(part.perUnitPrice)} each, ${formatCount(part.availableQuantity)} in stock`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
