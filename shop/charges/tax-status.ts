import { z } from 'zod'
import { isCountry } from '#shop/addresses/countries.ts'
import { calendarDay } from '#shop/calendar-day.ts'
import type { BuyerTax } from './charges.ts'

/** By an admin, or by an authority that was asked. */
const check = z.object({
  at: z.string(),
  /** A user name, or that of the register that was asked. */
  by: z.string(),
})

/** What a customer has entered about taxes. It changes what is charged only once it is checked. */
export const taxStatus = z.object({
  vatId: z
    .object({
      /** Of ISO 3166-1. */
      country: z.string().refine(isCountry),
      /** With its prefix, without spaces. */
      number: z.string(),
      checked: check.nullable(),
    })
    .nullable(),
  exemption: z
    .object({
      country: z.string().refine(isCountry),
      /** Of ISO 3166-2, without the country; null for all of it. */
      region: z.string().nullable(),
      number: z.string(),
      /** The last day. */
      until: calendarDay('Enter a date'),
      checked: check.nullable(),
    })
    .nullable(),
})
export type TaxStatus = z.output<typeof taxStatus>

/** As it is stored of a user. */
export function readTaxStatus(stored: object | null): TaxStatus {
  return (stored as TaxStatus | null) ?? { vatId: null, exemption: null }
}

export function toBuyerTax(stored: object | null): BuyerTax {
  const { vatId, exemption } = readTaxStatus(stored)
  return {
    taxId: (vatId?.checked && vatId.number) || (exemption?.checked && exemption.number) || undefined,
    vatCountry: vatId?.checked ? vatId.country : undefined,
    exemption: exemption?.checked
      ? { country: exemption.country, region: exemption.region ?? undefined, until: exemption.until }
      : undefined,
  }
}
