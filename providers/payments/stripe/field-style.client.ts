import type { StripeElementStyle } from '@stripe/stripe-js'
import { useSyncExternalStore } from 'react'

/** Stripe's iframes cannot see the shop's stylesheet. Follows both themes. */
export function useFieldStyle(): StripeElementStyle {
  const style = useSyncExternalStore(subscribe, () => JSON.stringify(readStyle()))
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

function subscribe(onChange: () => void) {
  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  darkScheme.addEventListener('change', onChange)
  const themeObserver = new MutationObserver(onChange)
  themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    darkScheme.removeEventListener('change', onChange)
    themeObserver.disconnect()
  }
}
