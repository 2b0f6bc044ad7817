import { useState } from 'react'
import { errorText } from '#app/ui/error-text.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { pickTerms } from '#shop/basket/items.ts'
import { formatCount } from '#shop/money.ts'
import type { Line } from './lines.ts'
import { changeBasketItems, finishSaving, readBasketItems } from './store.ts'

/** No other price is charged than the customer has seen and accepted. */
export function NewPrices({ lines }: { lines: Line[] }) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const changed = lines.filter(({ hasNewPrice }) => hasNewPrice)
  if (changed.length === 0) return null

  async function accept() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      // Quantities that were typed just now.
      await finishSaving()
      const parts = new Map(changed.map(({ item, part }) => [item.partId, part!]))
      const items = readBasketItems().flatMap((item) => {
        const part = parts.get(item.partId)
        return part ? [{ ...item, seen: pickTerms(part) }] : []
      })
      await changeBasketItems(items)
      document.getElementById('content')?.focus({ preventScroll: true })
    } catch (error) {
      setError(errorText(error))
    }
    setBusy(false)
  }

  return (
    <section aria-labelledby="new-prices" className="mb-5 rounded-box border border-warning p-4">
      <p id="new-prices" role="status" className="mb-3 font-medium">
        {changed.length === 1
          ? 'The price of 1 item has changed since you added it.'
          : `The prices of ${formatCount(changed.length)} items have changed since you added them.`}
      </p>
      <FormError message={error} />
      <button type="button" className="btn btn-sm" aria-disabled={busy} onClick={accept}>
        {changed.length === 1 ? 'Accept new price' : 'Accept new prices'}
      </button>
    </section>
  )
}
