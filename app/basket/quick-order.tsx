import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { readDraft, updateDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showToast } from '#app/ui/toast.ts'
import { newItem } from '#shop/basket/items.ts'
import type { QuickRow } from '#shop/basket/quick-order.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { totalAt, typedQuantityError } from '#shop/orders/quantity.ts'
import type { Route } from './+types/quick-order'
import { ListFile } from './list-file.tsx'
import { QuickOrderRow } from './quick-order-row.tsx'
import { addBasketItems } from './store.ts'
import { useQuickOrder } from './use-quick-order.ts'

export const meta: Route.MetaFunction = () => noindex('Quick order')

const draft = 'quick order'

export default function QuickOrderPage() {
  return (
    <>
      <h1 className="mt-10">Quick order</h1>
      <p className="mt-3 max-w-prose">
        Paste lines from a spreadsheet, or type them: a part number or name, then the quantity. You check each
        line before anything goes to your basket.
      </p>
      {/* What was typed before is in the browser. */}
      {useHydrated() ? (
        <QuickOrder />
      ) : (
        <ListForm text="" busy disabled onText={() => {}} onCheck={() => {}} />
      )}
    </>
  )
}

function QuickOrder() {
  const [text, setText] = useState<string>(() => readDraft<{ text: string }>(draft)?.text ?? '')
  const list = useQuickOrder()

  function type(text: string) {
    setText(text)
    updateDraft(draft, { text })
  }

  return (
    <>
      <ListForm text={text} busy={list.busy} onText={type} onCheck={() => list.check(text)} />
      <FormError message={list.error} />
      {list.rows && list.rows.length > 0 && <Rows list={list} onAdded={() => type('')} />}
    </>
  )
}

interface ListFormProps {
  text: string
  busy: boolean
  disabled?: boolean
  onText: (text: string) => void
  onCheck: () => void
}

function ListForm({ text, busy, disabled = false, onText, onCheck }: ListFormProps) {
  const id = useId()
  const [fileError, setFileError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    onCheck()
  }

  return (
    <form method="post" className="mt-6 mb-4 max-w-3xl" onSubmit={submit}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Parts and quantities
      </label>
      <textarea
        id={id}
        className="textarea w-full font-mono"
        rows={8}
        spellCheck={false}
        placeholder={'WW-CN12   60\nWW-TY29   24'}
        aria-describedby={`${id}-hint`}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <p id={`${id}-hint`} className="mt-1 mb-4 text-sm text-base-content/70">
        One part on each line, up to 1,000 lines. Tabs, commas, semicolons or spaces between part and
        quantity.
      </p>
      <FormError message={fileError} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={busy && !disabled} disabled={disabled} className="">
          Check lines
        </SubmitButton>
        <ListFile
          onText={(text) => {
            setFileError(undefined)
            onText(text)
          }}
          onError={setFileError}
        />
      </div>
    </form>
  )
}

interface RowsProps {
  list: ReturnType<typeof useQuickOrder>
  onAdded: () => void
}

function Rows({ list, onAdded }: RowsProps) {
  const [onlyWrong, setOnlyWrong] = useState(false)
  const [error, setError] = useState<string>()
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const rows = list.rows!
  const valid = rows.filter(isValid)
  const wrong = rows.length - valid.length
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each check
  useEffect(() => heading.current?.focus(), [list.checks])
  const total = valid.reduce((sum, { part, quantity }) => sum + totalAt(part!, Number(quantity)), 0)

  async function add() {
    if (adding) return
    setAdding(true)
    setError(undefined)
    try {
      await addBasketItems(valid.map(({ part, quantity }) => newItem(part!, Number(quantity))))
      showToast(`Added ${countItems(valid.length)} to basket`, undefined, 'basket')
      list.remove(valid.map(({ id }) => id))
      if (wrong === 0) {
        onAdded()
        await navigate('/basket')
      }
    } catch (error) {
      setError(error instanceof Error ? error.message : 'Something went wrong. Try again.')
    }
    setAdding(false)
  }

  return (
    <section aria-labelledby="lines" className="mt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="lines" ref={heading} tabIndex={-1} aria-live="polite" className="outline-none">
          {`${formatCount(valid.length)} of ${formatCount(rows.length)} ${rows.length === 1 ? 'line' : 'lines'} ready`}
        </h2>
        {wrong > 0 && valid.length > 0 && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={onlyWrong}
              onChange={(event) => setOnlyWrong(event.target.checked)}
            />
            {`Show only the ${formatCount(wrong)} to correct`}
          </label>
        )}
      </div>
      <ul className="mt-4 border-t border-base-300">
        {rows
          .filter((row) => !onlyWrong || !isValid(row))
          .map((row) => (
            <QuickOrderRow key={row.id} row={row} list={list} />
          ))}
      </ul>
      <FormError message={error} />
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <button
          type="button"
          className="btn btn-primary"
          disabled={valid.length === 0}
          aria-disabled={adding}
          onClick={add}
        >
          {`Add ${countItems(valid.length)} to basket`}
        </button>
        <p className="text-lg font-semibold">{`Total ${formatDollars(total)}`}</p>
        <Link to="/basket" className="link">
          View basket
        </Link>
      </div>
      {wrong > 0 && (
        <p className="mt-3 text-sm text-base-content/75">
          {`${wrong === 1 ? '1 line stays' : `${formatCount(wrong)} lines stay`} here until you correct or remove ${wrong === 1 ? 'it' : 'them'}.`}
        </p>
      )}
    </section>
  )
}

function isValid({ part, quantity }: QuickRow) {
  return part !== undefined && typedQuantityError(part, quantity) === undefined
}

function countItems(count: number) {
  return `${formatCount(count)} ${count === 1 ? 'item' : 'items'}`
}
