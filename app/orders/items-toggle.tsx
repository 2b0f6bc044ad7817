import { useRowLabel } from '#app/ui/table/row-name.tsx'

interface Props {
  text: string
  isOpen: boolean
  onToggle: () => void
}

/** Shows and hides items of an order in a list. */
export function ItemsToggle({ text, isOpen, onToggle }: Props) {
  return (
    <button
      type="button"
      className="link shrink-0 text-sm print:hidden"
      aria-expanded={isOpen}
      aria-label={useRowLabel(text)}
      onClick={onToggle}
    >
      {text}
    </button>
  )
}
