import { useState } from 'react'
import { Link } from 'react-router'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { Icon } from '#app/ui/icon.tsx'
import { newItem } from '#shop/basket/items.ts'
import { formatCount } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { lowestQuantity } from '#shop/parts/quantity.ts'
import { addBasketItems } from './store.ts'

interface Props {
  part: PartSummary
  quantity?: number | undefined
  disabled?: boolean
  className?: string
}

export function AddToBasket({
  part,
  quantity = lowestQuantity(part),
  disabled = false,
  className = '',
}: Props) {
  const [busy, setBusy] = useState(false)

  async function add() {
    if (busy) return
    setBusy(true)
    try {
      await addBasketItems([newItem(part, quantity)])
      const message = `Added to basket: ${formatCount(quantity)} × ${part.name}.`
      showToast(message, <Added message={message} />, 'basket')
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }

  return (
    <button
      type="button"
      className={`btn ${className}`}
      disabled={disabled}
      aria-disabled={busy}
      onClick={add}
    >
      <Icon name="basket" className="size-4" />
      Add to basket
    </button>
  )
}

function Added({ message }: { message: string }) {
  return (
    <span>
      {message}{' '}
      <Link to="/basket" className="link">
        View basket
      </Link>
    </span>
  )
}
