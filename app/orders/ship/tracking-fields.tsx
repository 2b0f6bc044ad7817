import type { UseFormRegisterReturn } from 'react-hook-form'
import type { z } from 'zod'
import { Field, SelectField } from '#app/ui/field.tsx'
import { carriers } from '#shop/orders/ship/carriers.ts'
import { otherCarrier, type trackingForm } from '#shop/orders/ship/ship-form.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'

export type TrackingInput = z.input<typeof trackingForm>

export const emptyTracking: TrackingInput = { carrier: '', otherName: '', trackingNumber: '' }

export function trackingInput({ carrier, trackingNumber }: Shipment): TrackingInput {
  const isKnown = carrier === null || carriers.includes(carrier)
  return {
    carrier: isKnown ? (carrier ?? '') : otherCarrier,
    otherName: isKnown ? '' : carrier,
    trackingNumber: trackingNumber ?? '',
  }
}

interface Props {
  register: (name: keyof TrackingInput) => UseFormRegisterReturn
  errors: Partial<Record<keyof TrackingInput, { message?: string | undefined }>>
  /** As chosen. */
  carrier: TrackingInput['carrier']
  /** Whether the number looks wrong, and it was said when it was to be saved. */
  doubt: string | null
}

export function TrackingFields({ register, errors, carrier, doubt }: Props) {
  return (
    <>
      <SelectField label="Carrier" optional error={errors.carrier?.message} {...register('carrier')}>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {carrier === otherCarrier && (
        <Field
          label="Carrier name"
          autoComplete="off"
          error={errors.otherName?.message}
          {...register('otherName')}
        />
      )}
      <Field
        label="Tracking number"
        optional
        autoComplete="off"
        spellCheck={false}
        error={errors.trackingNumber?.message}
        hint={
          carrier && carriers.includes(carrier)
            ? `The customer gets a link to ${carrier}’s tracking page.`
            : undefined
        }
        {...register('trackingNumber')}
      />
      {doubt && (
        <p ref={showInView} role="alert" className="mb-4 border-l-4 border-warning pl-3 text-sm">
          {doubt}
        </p>
      )}
    </>
  )
}

function showInView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}

const choices = [
  { value: '', label: 'Not given' },
  ...carriers.map((carrier) => ({ value: carrier, label: carrier })),
  { value: otherCarrier, label: 'Other' },
]
