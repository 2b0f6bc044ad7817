import { z } from 'zod'
import type { VatRegister } from '#shop/ports.ts'
import { readStackTrace } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'

/** Of what a country does not tell. */
const text = z
  .string()
  .nullish()
  .transform((value) => (value && value !== '---' ? value.slice(0, 300) : null))

/** When a country’s register is down, there is no `valid`, or an error beside it. */
const answer = z.object({
  valid: z.boolean(),
  userError: z.enum(['', 'VALID', 'INVALID']).nullish(),
  requestIdentifier: text,
  name: text,
})

/** The European Commission’s register of VAT IDs, by its REST API. */
export function viesRegister(url: string, timeoutMs = 10_000): VatRegister {
  return {
    name: 'VIES',
    async check(number, requester) {
      const body = {
        countryCode: number.slice(0, 2),
        vatNumber: number.slice(2),
        ...(requester && {
          requesterMemberStateCode: requester.slice(0, 2),
          requesterNumber: requester.slice(2),
        }),
      }
      try {
        const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/check-vat-number`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        })
        if (!response.ok) throw new Error(`VIES returned ${response.status}`)
        const { valid, requestIdentifier: consultation, name } = answer.parse(await response.json())
        return { valid, consultation, registeredName: name }
      } catch (error) {
        log.warn({ reason: readStackTrace(error as Error) }, 'VIES gave no answer')
        return null
      }
    },
  }
}
