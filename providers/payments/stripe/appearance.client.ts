import type { Appearance } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'

/** The shop's theme for Stripe's iframes, which cannot see its stylesheet. Changes with the theme. */
export function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance)
  useEffect(() => onThemeChange(() => setAppearance(readAppearance())), [])
  return appearance
}

function readAppearance(): Appearance {
  const root = getComputedStyle(document.documentElement)
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.borderRadius = 'var(--radius-field)'
  const computed = getComputedStyle(probe)
  const readColor = (name: string, percent = 100) => {
    probe.style.color = `color-mix(in srgb, var(--color-${name}) ${percent}%, var(--color-base-100))`
    return toRgb(computed.color)
  }
  const primary = readColor('primary')
  const appearance: Appearance = {
    theme: root.colorScheme === 'dark' ? 'night' : 'stripe',
    labels: 'above',
    disableAnimations: matchMedia('(prefers-reduced-motion: reduce)').matches,
    variables: {
      colorPrimary: primary,
      colorBackground: readColor('base-100'),
      colorText: readColor('base-content'),
      colorTextSecondary: readColor('base-content', 75),
      colorTextPlaceholder: readColor('base-content', 65),
      colorDanger: readColor('error'),
      iconColor: readColor('base-content'),
      inputColorBorder: readColor('base-content', 55),
      borderRadius: computed.borderRadius,
      focusOutline: `2px solid ${primary}`,
      focusBoxShadow: 'none',
      fontFamily: getComputedStyle(document.body).fontFamily,
      // Safari on iPhones zooms into smaller fields.
      fontSizeBase: '16px',
    },
    rules: {
      // At least 44 pixels high, and without shadow like the shop's own fields.
      '.Input': { lineHeight: '24px', padding: '10px 12px', boxShadow: 'none' },
      '.Label': { fontSize: '14px', fontWeight: '500' },
      '.Error': { fontSize: '14px' },
    },
  }
  probe.remove()
  return appearance
}

/** Stripe does not accept `oklch()` or `color()`. Browsers write a mixed colour as `color(srgb …)`, with channels from 0 to 1. */
function toRgb(color: string) {
  const channels = color
    .match(/-?\d*\.?\d+(e-?\d+)?/g)!
    .slice(0, 3)
    .map(Number)
  const scale = color.startsWith('color(') ? 255 : 1
  const bytes = channels.map((channel) => Math.round(Math.min(Math.max(channel * scale, 0), 255)))
  return `rgb(${bytes.join(', ')})`
}

function onThemeChange(listener: () => void) {
  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  darkScheme.addEventListener('change', listener)
  const themeObserver = new MutationObserver(listener)
  themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    darkScheme.removeEventListener('change', listener)
    themeObserver.disconnect()
  }
}
