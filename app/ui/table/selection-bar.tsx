import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { formatCount, formatTotal } from '#shop/money.ts'

interface Props<Row> {
  selection: Selection<Row>
  /** Of the list. */
  total: number
  noun: readonly [one: string, many: string]
  /** The first rows of the list, as many as can be selected. */
  readAll: () => Promise<Row[]>
  children: ReactNode
}

/** How many rows can be selected. */
export const maxSelected = 1_000

/** The pressed button goes with its bar. */
export function useBarFocus(isShown: boolean) {
  const wasShown = useRef(false)
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body)
      document.querySelector('main')?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown])
}

/** What can be done with the selected rows; stays in view. */
export function SelectionBar<Row>({ selection, total, noun, readAll, children }: Props<Row>) {
  const [busy, setBusy] = useState(false)
  const count = selection.rows.length
  useBarFocus(count > 0)
  if (count === 0) return null

  async function selectAll() {
    if (busy) return
    setBusy(true)
    try {
      selection.select(await readAll())
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  const [all, of] =
    total > maxSelected
      ? [`the first ${formatCount(maxSelected)}`, ` of ${formatTotal(total)} that match`]
      : [`all ${formatCount(total)}`, ' that match']
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-0 z-20 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-t-box border border-base-300 bg-base-200 px-4 py-3 shadow-lg max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-3 max-sm:py-2 print:hidden"
    >
      <p role="status" className="font-medium max-sm:text-sm">
        {`${formatCount(count)} ${noun[count === 1 ? 0 : 1]} selected`}
      </p>
      {count < Math.min(total, maxSelected) && (
        <button type="button" className="link text-sm" aria-disabled={busy} onClick={selectAll}>
          {busy ? (
            'Selecting…'
          ) : (
            <>
              {`Select ${all}`}
              <span className="max-sm:sr-only">{of}</span>
            </>
          )}
        </button>
      )}
      <button type="button" className="link text-sm" onClick={selection.clear}>
        Clear<span className="max-sm:sr-only"> selection</span>
      </button>
      {/* On a phone one row that scrolls, so that the bar stays low. */}
      <div className="flex items-center gap-2 max-sm:w-full max-sm:overflow-x-auto max-sm:p-0.5 max-sm:whitespace-nowrap max-sm:*:shrink-0 sm:ml-auto sm:flex-wrap">
        {children}
      </div>
    </section>
  )
}
