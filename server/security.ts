import { NONCE } from 'hono/secure-headers'
import type { IdentitySettings, PaymentSettings } from '#shop/ports.ts'
import type { ImagesConfig } from './config.ts'

/** The headers that say what a page may load and who may hold on to it. */
export function security(identity: IdentitySettings, payments: PaymentSettings, images: ImagesConfig) {
  const firebase = identity.kind === 'firebase' ? hostsOf(identity) : null
  const stripe = payments.kind === 'stripe' ? stripeHosts : null
  const framed = [...(firebase?.framed ?? []), ...(stripe?.framed ?? [])]
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      // The hosts are for browsers that do not know 'strict-dynamic'.
      scriptSrc: [NONCE, "'strict-dynamic'", ...(stripe?.scripts ?? [])],
      // Vite's development server writes styles into the page.
      styleSrc: import.meta.env.DEV ? ["'self'", "'unsafe-inline'"] : ["'self'"],
      styleSrcAttr: ["'unsafe-inline'"],
      // A blob is a picture that somebody has chosen and not sent yet. An image host on this machine has no https.
      imgSrc: [
        "'self'",
        'data:',
        'blob:',
        'https:',
        ...(images.kind === 'imgbb' ? [new URL(images.uploadUrl).origin] : []),
      ],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...(firebase?.asked ?? []), ...(stripe?.asked ?? [])],
      ...(framed.length > 0 && { frameSrc: framed }),
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // Google's or GitHub's window tells this page who signed in there.
    crossOriginOpenerPolicy: firebase ? 'same-origin-allow-popups' : 'same-origin',
    // A key of Firebase may be good only for pages of this shop, and Firebase sees by this where it is asked from.
    referrerPolicy: firebase ? 'strict-origin-when-cross-origin' : 'no-referrer',
    crossOriginEmbedderPolicy: false,
    xFrameOptions: 'DENY',
  }
}

/** What Stripe's card fields need; on every page, as below. */
const stripeHosts = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  asked: ['https://api.stripe.com'],
  framed: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** On every page: one that was opened at another address leads to the login page without being loaded anew. */
function hostsOf({ authDomain, emulator }: Extract<IdentitySettings, { kind: 'firebase' }>) {
  const real = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
  return { asked: emulator ? [emulator] : real, framed: [emulator ?? `https://${authDomain}`] }
}
