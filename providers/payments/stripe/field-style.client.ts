import type { StripeElementStyle } from '@stripe/stripe-js'
import { useSyncExternalStore } from 'react'

/** The shop's look for fields that stand in frames of their own, where its stylesheet does not reach; in either theme. */
export function useFieldStyle(): StripeElementStyle {
  const style = useSyncExternalStore(watch, () => JSON.stringify(readStyle()))
  return JSON.parse(style)
}

function readStyle(): StripeElementStyle {
  const body = getComputedStyle(document.body)
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  return {
    base: {
      color: colour('--color-base-content'),
      iconColor: colour('--color-base-content'),
      fontFamily: body.fontFamily,
      fontSize: '14px',
      lineHeight: '38px',
      '::placeholder': { color: `${colour('--color-base-content')}a6` },
    },
    invalid: { color: colour('--color-error'), iconColor: colour('--color-error') },
  }
}

function watch(tell: () => void) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', tell)
  const chosen = new MutationObserver(tell)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    dark.removeEventListener('change', tell)
    chosen.disconnect()
  }
}
