import { z } from 'zod'
import { findCharge } from './charges.ts'
import { type FormTree, positive, readFields } from './forms.ts'
import { lockIntent } from './intents.ts'
import { captureCharge } from './outcomes.ts'
import { BankApiError, type BankCall, type BankResponse, invalidRequestError, ok } from './responses.ts'
import { serializeIntent } from './serialize-intent.ts'

const captureParams = z.strictObject({ amount_to_capture: positive.optional() })

export async function captureIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(captureParams, form)
  const intent = await lockIntent(call, id)
  if (intent.status !== 'requires_capture') {
    throw new BankApiError(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      payment_intent: serializeIntent(intent),
    })
  }
  const capturable = intent.amount
  const { amount_to_capture: amount = capturable } = fields
  if (amount > capturable) {
    const message = `The amount_to_capture (${amount}) is greater than the amount_capturable (${capturable}).`
    throw invalidRequestError(message, { code: 'amount_too_large', param: 'amount_to_capture' })
  }
  const charge = await findCharge(call, intent.latestCharge!)
  const captured = await captureCharge(call, intent, { charge, amount })
  return ok(serializeIntent(captured))
}
