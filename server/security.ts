import { NONCE } from 'hono/secure-headers'
import type { IdentitySettings, PaymentSettings } from '#shop/ports.ts'

export function securityHeaders(
  identity: IdentitySettings,
  payments: PaymentSettings,
  imageOrigin: string | null,
) {
  const firebase = identity.kind === 'firebase' ? hostsOf(identity) : null
  const stripe = payments.kind === 'stripe' ? stripeHosts : null
  const scriptHosts = [...(firebase ? firebaseScripts : []), ...(stripe?.scripts ?? [])]
  const frames = [...(firebase?.frames ?? []), ...(stripe?.frames ?? [])]
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      // The hosts are for pages from memory, which have hashes instead, and for browsers without 'strict-dynamic'.
      scriptSrc: [NONCE, "'strict-dynamic'", ...scriptHosts],
      // Vite's dev server injects inline styles.
      styleSrc: import.meta.env.DEV ? ["'self'", "'unsafe-inline'"] : ["'self'"],
      styleSrcAttr: ["'unsafe-inline'"],
      // data: is for the icons in the styles, blob: previews a picture before the upload.
      imgSrc: ["'self'", 'data:', 'blob:', ...(imageOrigin ? [imageOrigin] : [])],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...(firebase?.connections ?? []), ...(stripe?.connections ?? [])],
      ...(frames.length > 0 && { frameSrc: frames }),
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // The sign-in popup of Google or GitHub sends its result to this page.
    crossOriginOpenerPolicy: firebase ? 'same-origin-allow-popups' : 'same-origin',
    // Firebase API keys can be restricted by referrer.
    referrerPolicy: firebase ? 'strict-origin-when-cross-origin' : 'no-referrer',
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
  }
}

/** For responses that no browser shows as a page. Keeps the headers that a page below `/api` has set. */
export function apiSecurityHeaders(pageHeaders: ReturnType<typeof securityHeaders>) {
  const none = ["'none'"]
  return {
    ...pageHeaders,
    contentSecurityPolicy: { defaultSrc: none, baseUri: none, frameAncestors: none },
    overwrite: false,
  }
}

const firebaseScripts = ['https://apis.google.com']

const stripeHosts = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connections: ['https://api.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** Needed on every page: client-side navigation reaches the login page without new response headers. */
function hostsOf({ authDomain, emulator }: Extract<IdentitySettings, { kind: 'firebase' }>) {
  const real = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
  return { connections: emulator ? [emulator] : real, frames: [emulator ?? `https://${authDomain}`] }
}
