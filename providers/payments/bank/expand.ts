import { findCharge, showCharge } from './charges.ts'
import { findIntent, showIntent } from './intents.ts'
import { listRefunds } from './refunds.ts'
import { type BankCall, invalid } from './responses.ts'

type StripeObject = Record<string, unknown>

const expandable: Record<
  string,
  Record<string, (call: BankCall, object: StripeObject) => Promise<object>>
> = {
  payment_intent: { latest_charge: charge('latest_charge') },
  charge: {
    payment_intent: intent,
    refunds: async (call, { id }) => ({
      ...(await listRefunds(call, { charge: String(id) })).body,
      url: `/v1/charges/${id}/refunds`,
    }),
  },
  refund: { charge: charge('charge'), payment_intent: intent },
}

function charge(field: string) {
  return async (call: BankCall, object: StripeObject) =>
    showCharge(await findCharge(call, String(object[field])))
}

async function intent(call: BankCall, object: StripeObject) {
  return showIntent(await findIntent(call, String(object.payment_intent)))
}

/** `paths` are like `latest_charge.refunds`, or `data.charge` in a list. */
export async function expand(call: BankCall, object: object, paths: string[]): Promise<object> {
  let result = object
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.length > 4)
      throw invalid('You cannot expand more than 4 levels of a property.', { param: 'expand' })
    result = await expandPath(call, result as StripeObject, segments, path)
  }
  return result
}

async function expandPath(
  call: BankCall,
  object: StripeObject,
  [field = '', ...rest]: string[],
  path: string,
): Promise<StripeObject> {
  if (object.object === 'list' && field === 'data') {
    const items = object.data as StripeObject[]
    const data: StripeObject[] = []
    for (const item of items) data.push(rest.length > 0 ? await expandPath(call, item, rest, path) : item)
    return { ...object, data }
  }
  const value = object[field]
  // A null field stays null.
  if (value === null) return object
  const load = expandable[String(object.object)]?.[field]
  if (!load) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const expanded = typeof value === 'object' ? value : await load(call, object)
  return {
    ...object,
    [field]: rest.length > 0 ? await expandPath(call, expanded as StripeObject, rest, path) : expanded,
  }
}
