import type { Path, PathValue, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Delivery } from '#shop/addresses/address.ts'
import type { delivery } from '#shop/orders/purchase.ts'
import { emptyDelivery } from './delivery.ts'

type Input = z.input<typeof delivery>

export const deliveryNames = Object.keys(emptyDelivery) as (keyof Delivery)[]

/** What `DeliveryFields` needs of a form of React Hook Form. */
export function pickDeliveryFields<Form extends Input, Output>(form: UseFormReturn<Form, unknown, Output>) {
  const { register, setValue, clearErrors, watch, getFieldState, formState } = form
  const path = (name: keyof Input) => name as Path<Form>
  const errors = deliveryNames.map((name) => [name, getFieldState(path(name), formState).error?.message])
  return {
    value: pickDelivery(watch()),
    errors: Object.fromEntries(errors) as { [Name in keyof Delivery]?: string },
    field: (name: keyof Input) => register(path(name)),
    onChoose(delivery: Delivery) {
      for (const name of deliveryNames) {
        const value = delivery[name] as PathValue<Form, Path<Form>>
        setValue(path(name), value, { shouldValidate: true, shouldDirty: true })
      }
      // An empty address is still to be typed.
      if (delivery.address === '') clearErrors(path('address'))
    },
  }
}

function pickDelivery({ recipient, company, address, phoneNumber }: Partial<Input>): Delivery {
  return {
    recipient: recipient ?? '',
    company: company ?? '',
    address: address ?? '',
    phoneNumber: phoneNumber ?? '',
  }
}
