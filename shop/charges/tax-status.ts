import { z } from 'zod'
import { findRegions, isCountry } from '#shop/addresses/countries.ts'
import { calendarDay } from '#shop/calendar-day.ts'
import { optionalText, requiredText } from '#shop/fields.ts'
import type { BuyerTax } from './charges.ts'

interface Check {
  at: string
  /** A user name, or that of the register that was asked. */
  by: string
  /** Of the register’s answer, to show to authorities. */
  consultation?: string | null
  registeredName?: string | null
}

interface Proof {
  /** Of ISO 3166-1. */
  country: string
  number: string
  checked: Check | null
  declined?: { at: string; by: string; reason: string } | null
}

/** The number has its prefix, and no spaces. */
export type VatId = Proof

export interface Exemption extends Proof {
  /** Of ISO 3166-2, without the country; null for all of it. */
  region: string | null
  /** The last day. */
  until: string
  /** Of `tax_certificates`. */
  file?: { _id: string; name: string; size: number } | null
}

/** What a customer has entered about taxes. It changes what is charged only once it is checked. */
export interface TaxStatus {
  vatId: VatId | null
  exemption: Exemption | null
  /** VAT IDs that only an admin can confirm, because an admin has declined them. */
  declinedNumbers?: string[]
}

/** Of a column of a user. */
export function toTaxStatus(stored: object | null): TaxStatus {
  return (stored as TaxStatus | null) ?? { vatId: null, exemption: null }
}

export function toBuyerTax(stored: object | null): BuyerTax {
  const { vatId, exemption } = toTaxStatus(stored)
  return {
    taxId: (vatId?.checked && vatId.number) || (exemption?.checked && exemption.number) || undefined,
    vatCountry: vatId?.checked ? vatId.country : undefined,
    exemption: exemption?.checked
      ? { country: exemption.country, region: exemption.region ?? undefined, until: exemption.until }
      : undefined,
  }
}

const country = z.string('Choose a country').refine(isCountry, 'Choose a country')

export const vatIdForm = z.object({ country, number: requiredText('VAT ID is required', 30) })

export const exemptionForm = z
  .object({
    country,
    region: optionalText(3).transform((region) => region ?? null),
    number: requiredText('Certificate number is required', 40),
    until: calendarDay('Enter a date'),
  })
  .refine(({ country, region }) => region === null || hasRegion(country, region), {
    path: ['region'],
    message: 'Choose from the list',
  })

function hasRegion(country: string, region: string) {
  return findRegions(country)?.regions.some(({ code }) => code === region) ?? false
}

export const digest = z.string('digest is required').max(100)

/** What is absent stays; null removes it. */
export const taxStatusChange = z.object({
  /** Of what was read. */
  digest,
  vatId: vatIdForm.nullable().optional(),
  exemption: exemptionForm.nullable().optional(),
})
export type TaxStatusChange = z.output<typeof taxStatusChange>

const proofs = ['vatId', 'exemption'] as const
export type ProofKind = (typeof proofs)[number]

export const taxDecision = z
  .object({
    /** Of what was read. */
    digest,
    proof: z.enum(proofs, `proof must be ${proofs.join(' or ')}`),
    decision: z.enum(['confirm', 'decline'], 'decision must be confirm or decline'),
    /** For the customer, who is declined. */
    reason: optionalText(500),
  })
  .refine(({ decision, reason }) => decision === 'confirm' || reason !== undefined, {
    error: 'Reason is required',
    path: ['reason'],
  })
export type TaxDecision = z.output<typeof taxDecision>

export const declineForm = z.object({ reason: requiredText('Reason is required', 500) })

const proof = z.object({
  country: z.string(),
  number: z.string(),
  state: z.enum(['unchecked', 'checked', 'expired', 'declined']),
  /** When it was checked or declined. */
  decidedAt: z.string().nullable(),
  /** Why it was declined. */
  reason: z.string().nullable(),
})
export type ShownProof = z.output<typeof proof>

const ofExemption = {
  region: z.string().nullable(),
  until: z.string(),
  /** The certificate, if it was added. */
  file: z.object({ name: z.string(), size: z.int() }).nullable(),
}

export const myTaxStatus = z.object({
  /** Whether the shop charges tax. */
  isTaxed: z.boolean(),
  /** Changes with it. */
  digest: z.string(),
  vatId: proof.nullable(),
  exemption: proof.extend(ofExemption).nullable(),
})
export type MyTaxStatus = z.output<typeof myTaxStatus>
export type ShownExemption = NonNullable<MyTaxStatus['exemption']>

const checkedProof = proof.extend({
  /** An admin, or the register that was asked. */
  decidedBy: z.string().nullable(),
  /** Of the register’s answer, to show to authorities. */
  consultation: z.string().nullable(),
  registeredName: z.string().nullable(),
})
export type CheckedProof = z.output<typeof checkedProof>

/** As admins see it. */
export const customerTaxStatus = myTaxStatus.extend({
  vatId: checkedProof.nullable(),
  exemption: checkedProof.extend(ofExemption).nullable(),
  /** All that admins have confirmed, and the current one. */
  files: z.array(z.object({ _id: z.string(), name: z.string(), size: z.int(), createdAt: z.string() })),
  /** A customer for whom an admin has declined the same VAT ID; only an admin can confirm it then. */
  declinedFor: z.string().nullable(),
})
export type CustomerTaxStatus = z.output<typeof customerTaxStatus>

/** `day` is the shop’s. */
export function describeTaxStatus(stored: object | null, day: string) {
  const { vatId, exemption } = toTaxStatus(stored)
  return {
    vatId: vatId && describeProof(vatId),
    exemption: exemption && {
      ...describeProof(exemption, exemption.until < day),
      region: exemption.region,
      until: exemption.until,
      file: exemption.file ?? null,
    },
  }
}

function describeProof({ country, number, checked, declined }: Proof, isExpired = false): CheckedProof {
  const state = declined ? 'declined' : isExpired ? 'expired' : checked ? 'checked' : 'unchecked'
  const { at = null, by = null } = declined ?? checked ?? {}
  const { consultation = null, registeredName = null } = checked ?? {}
  const reason = declined?.reason ?? null
  return { country, number, state, decidedAt: at, decidedBy: by, reason, consultation, registeredName }
}
