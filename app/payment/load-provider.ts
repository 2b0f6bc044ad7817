import { loadScript } from '#app/browser/failed-imports.ts'
import { type BrowserPayments, formNotLoadedMessage } from '#providers/payments/payment-state.client.ts'
import type { PaymentSettings } from '#shop/ports.ts'

/** Throws an Error whose message can be shown; a retry loads it again. */
export async function loadPayments(): Promise<BrowserPayments> {
  const settings = readSettings()
  try {
    if (settings.kind === 'stripe') {
      const { stripeElements } = await loadScript(
        () => import('#providers/payments/stripe/elements.client.tsx'),
      )
      return await stripeElements(settings.publishableKey)
    }
    const { testBankForm } = await loadScript(() => import('#bank/card/card-form.client.tsx'))
    return testBankForm
  } catch {
    throw new Error(formNotLoadedMessage)
  }
}

function readSettings(): PaymentSettings {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="payment-provider"]')!.content)
}
