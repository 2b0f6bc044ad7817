import { findCharge, showCharge } from './charges.ts'
import { findIntent, showIntent } from './intents.ts'
import { listRefunds } from './refunds.ts'
import { type Call, invalid } from './responses.ts'

type Found = Record<string, unknown>

/** What of which object can be shown whole instead of by its id. */
const expandable: Record<string, Record<string, (call: Call, object: Found) => Promise<object>>> = {
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
  return async (call: Call, object: Found) => showCharge(await findCharge(call, String(object[field])))
}

async function intent(call: Call, object: Found) {
  return showIntent(await findIntent(call, String(object.payment_intent)))
}

/** The object with what `paths` name shown whole, like `latest_charge.refunds`, or `data.charge` in a list. */
export async function expand(call: Call, object: object, paths: string[]): Promise<object> {
  let shown = object
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > 4)
      throw invalid('You cannot expand more than 4 levels of a property.', { param: 'expand' })
    shown = await follow(call, shown as Found, steps, path)
  }
  return shown
}

async function follow(
  call: Call,
  object: Found,
  [field = '', ...rest]: string[],
  path: string,
): Promise<Found> {
  if (object.object === 'list' && field === 'data') {
    const items = object.data as Found[]
    const data: Found[] = []
    for (const item of items) data.push(rest.length > 0 ? await follow(call, item, rest, path) : item)
    return { ...object, data }
  }
  const value = object[field]
  // What this bank never has stands empty wherever it is asked for.
  if (value === null) return object
  const read = expandable[String(object.object)]?.[field]
  if (!read) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const whole = typeof value === 'object' ? value : await read(call, object)
  return { ...object, [field]: rest.length > 0 ? await follow(call, whole as Found, rest, path) : whole }
}
