import type { ReadLines } from '#shop/basket/list/read-list.ts'
import { formatCount } from '#shop/money.ts'

interface Props {
  notes: ReadLines
  onAskAgain: (shapes: string[]) => void
}

const shownLines = 5

export function ListNotes({ notes: { leftOut, answered }, onAskAgain }: Props) {
  const shown = leftOut.slice(0, shownLines).map(({ line, text }) => `line ${formatCount(line)} “${text}”`)
  const more = leftOut.length - shown.length
  return (
    <>
      {leftOut.length > 0 && (
        <p className="mt-4 max-w-prose text-sm wrap-anywhere text-base-content/75">
          {`Left out, because no part is named there: ${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`}
        </p>
      )}
      {answered.length > 0 && (
        <p className="mt-4 max-w-prose text-sm text-base-content/75">
          <span>We read the quantities as you chose for lists like this one. </span>
          <button type="button" className="link" onClick={() => onAskAgain(answered)}>
            Choose again
          </button>
        </p>
      )}
    </>
  )
}
