import { useRowLabel } from '#app/ui/table/row-name.tsx'
import { formatCount } from '#shop/money.ts'

interface Props {
  /** How many items the order has, and how many are shown until it is opened. */
  all: number
  folded: number
  isOpen: boolean
  onToggle: () => void
}

export function MoreItems({ all, folded, isOpen, onToggle }: Props) {
  const text = isOpen ? `Show only ${formatCount(folded)} items` : `Show all ${formatCount(all)} items`
  return (
    <button
      type="button"
      className="link text-sm"
      aria-expanded={isOpen}
      aria-label={useRowLabel(text)}
      onClick={onToggle}
    >
      {text}
    </button>
  )
}
