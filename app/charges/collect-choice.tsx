import { type ReactNode, useEffect } from 'react'
import { usePricing } from '#app/company.ts'

interface Props {
  isCollected: boolean
  disabled?: boolean
  onCollect: (isCollected: boolean) => void
}

/** How an order gets to its buyer, where the shop offers more than delivery. */
export function CollectChoice({ isCollected, disabled = false, onCollect }: Props) {
  const collection = usePricing()?.collection
  const isOffered = collection?.isOffered === true
  // Of a draft from when it was offered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler is another one each time
  useEffect(() => {
    if (isCollected && !isOffered) onCollect(false)
  }, [isCollected, isOffered])
  if (!isOffered) return null
  const choose = (value: boolean) => ({
    disabled,
    checked: isCollected === value,
    onChange: () => onCollect(value),
  })
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">How you get it</legend>
      <Choice label="Deliver to me" {...choose(false)} />
      <Choice label="Collect at the factory" {...choose(true)}>
        <span className="block text-sm whitespace-pre-line text-base-content/75">{collection.address}</span>
        {isCollected && (
          <span className="block text-sm text-base-content/75">
            We’ll email you when it’s ready. Your address below is for the invoice.
          </span>
        )}
      </Choice>
    </fieldset>
  )
}

interface ChoiceProps {
  label: string
  disabled: boolean
  checked: boolean
  onChange: () => void
  children?: ReactNode
}

function Choice({ label, children, ...input }: ChoiceProps) {
  return (
    <label className="flex items-start gap-3 py-1">
      <input type="radio" name="collect" className="radio mt-0.5 radio-sm" {...input} />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {children}
      </span>
    </label>
  )
}
