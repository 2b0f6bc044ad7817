import { useRef } from 'react'

export interface TestCard {
  number: string
  cvc: string
}

// biome-ignore format: a table
export const testCards = [
  { label: 'Succeeds',                         number: '4242 4242 4242 4242', cvc: '123' },
  { label: 'Succeeds (Amex)',                number: '3782 822463 10005',   cvc: '1234' },
  { label: 'Succeeds within a minute',       number: '4000 0000 0000 6009', cvc: '123' },
  { label: 'Succeeds, then disputed',     number: '4000 0000 0000 0259', cvc: '123' },
  { label: 'Succeeds, refunds take a minute',number: '4000 0000 0000 7726', cvc: '123' },
  { label: 'Succeeds, refunds fail',         number: '4000 0000 0000 5126', cvc: '123' },
  { label: '3-D Secure',              number: '4000 0025 0000 3155', cvc: '123' },
  { label: '3-D Secure, insufficient funds',         number: '4000 0082 6000 3178', cvc: '123' },
  { label: 'Declined',                    number: '4000 0000 0000 0002', cvc: '123' },
  { label: 'Insufficient funds',         number: '4000 0000 0000 9995', cvc: '123' },
  { label: 'Expired card',                    number: '4000 0000 0000 0069', cvc: '123' },
  { label: 'Incorrect CVC',                number: '4000 0000 0000 0127', cvc: '123' },
  { label: 'Processing error',              number: '4000 0000 0000 0119', cvc: '123' },
]

export function TestCards({ onChoose }: { onChoose: (card: TestCard) => void }) {
  const details = useRef<HTMLDetailsElement>(null)

  function select(card: TestCard) {
    details.current!.open = false
    onChoose(card)
    // The pressed button is hidden when the list closes, so focus moves to submit.
    details.current!.closest('form')!.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  return (
    <div className="mb-4 rounded-box bg-base-200 p-3 text-sm">
      <p>
        <strong>Test mode.</strong> No money moves, and only test cards work.
      </p>
      <details ref={details} className="mt-1">
        <summary className="link w-fit py-1">Test cards</summary>
        <ul className="mt-1">
          {testCards.map(({ label, ...card }) => (
            <li key={card.number}>
              <button
                type="button"
                className="flex w-full cursor-pointer flex-wrap justify-between gap-x-4 rounded-field px-2 py-1.5 text-left hover:bg-base-300"
                onClick={() => select(card)}
              >
                <span>{label}</span>
                <span className="whitespace-nowrap">{card.number}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}
