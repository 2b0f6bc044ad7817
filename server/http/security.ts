import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { IdentitySettings, PaymentSettings } from '#shop/ports.ts'

/** Middleware for pages, and for the API, whose responses no browser shows as a page; it keeps what a page below `/api` has set. */
export function securityHeaders(...settings: Parameters<typeof pageHeaders>) {
  const page = pageHeaders(...settings)
  const none = ["'none'"]
  const contentSecurityPolicy = { defaultSrc: none, baseUri: none, frameAncestors: none }
  return {
    page: secureHeaders(page),
    api: secureHeaders({ ...page, contentSecurityPolicy, overwrite: false }),
  }
}

function pageHeaders(identity: IdentitySettings, payments: PaymentSettings, imageOrigin: string | null) {
  const firebase = identity.kind === 'firebase' ? listHosts(identity) : null
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

const firebaseScripts = ['https://apis.google.com']

const stripeHosts = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connections: ['https://api.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** Needed on every page: client-side navigation reaches the login page without new response headers. */
function listHosts({ authDomain, emulator }: Extract<IdentitySettings, { kind: 'firebase' }>) {
  const real = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
  return { connections: emulator ? [emulator] : real, frames: [emulator ?? `https://${authDomain}`] }
}
