import type { Path, PathValue, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { type Delivery, deliveryFields } from '#shop/addresses/address.ts'
import { hasPostcodes } from '#shop/addresses/postcodes.ts'
import type { delivery } from '#shop/orders/purchase.ts'

type Input = z.input<typeof delivery>

/** For `useFormError`. */
export const deliveryNames: (keyof Delivery)[] = [...deliveryFields]

/** What `DeliveryFields` needs of a form of React Hook Form. */
export function pickDeliveryFields<Form extends Input, Output>(form: UseFormReturn<Form, unknown, Output>) {
  const { register, setValue, trigger, clearErrors, watch, getValues, getFieldState, formState } = form
  const path = (name: keyof Input) => name as Path<Form>
  const errors = deliveryFields.map((name) => [name, getFieldState(path(name), formState).error?.message])
  const set = (name: keyof Delivery, value: string) =>
    setValue(path(name), value as PathValue<Form, Path<Form>>, { shouldValidate: true, shouldDirty: true })
  return {
    value: readTyped(watch()),
    isCollected: watch(path('collect')) === true,
    errors: Object.fromEntries(errors) as { [Name in keyof Delivery]?: string },
    field: (name: keyof Input) => register(path(name)),
    async onChoose(delivery: Delivery) {
      for (const name of deliveryFields) set(name, delivery[name])
      await trigger(deliveryFields.map(path))
      // An empty address is still to be typed.
      if (delivery.address === '') clearErrors(path('address'))
    },
    onCollect(isCollected: boolean) {
      setValue(path('collect'), isCollected as PathValue<Form, Path<Form>>, { shouldDirty: true })
    },
    /** What another country has no use for is emptied. */
    onCountry(country: string) {
      const { postcode } = readTyped(getValues())
      set('country', country)
      set('region', '')
      set('postcode', hasPostcodes(country) ? postcode : '')
    },
  }
}

function readTyped(values: Partial<Input>): Delivery {
  const texts = deliveryFields.map((name) => [name, values[name] ?? ''])
  return Object.fromEntries(texts) as unknown as Delivery
}
