import type { BrowserPayments } from '#providers/payments/payment-state.client.ts'
import type { PaymentSettings } from '#shop/ports.ts'

/** The card provider's browser half. Throws an Error whose message can be shown; tried again, it is loaded anew. */
export async function loadPayments(): Promise<BrowserPayments> {
  const settings = readSettings()
  try {
    if (settings.kind === 'stripe') {
      const { stripeElements } = await import('#providers/payments/stripe/elements.client.tsx')
      return await stripeElements(settings.publishableKey)
    }
    return (await import('#providers/payments/bank/card-form.client.tsx')).testBankForm
  } catch {
    throw new Error('The card form could not be loaded. Please check your connection and try again.')
  }
}

/** What app/root.tsx has written into every page. */
function readSettings(): PaymentSettings {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="payment-provider"]')!.content)
}
