import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { z } from 'zod'
import { CallFailed, client, isOutage } from '#app/client.ts'
import { Field } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { say } from '#app/ui/toast.ts'
import { wholeNumber } from '#shop/fields.ts'
import type { Part, PartChange } from '#shop/parts/part.ts'

const arrival = z.object({
  arrived: wholeNumber('Say how many arrived').pipe(
    z.int().min(1, 'At least 1').max(1_000_000, 'At most 1,000,000'),
  ),
})

/** A button that asks how many of a part arrived, and adds them to its stock. */
export function Restock({ part }: { part: Pick<Part, '_id' | 'name'> }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.input<typeof arrival>, unknown, z.output<typeof arrival>>({
    resolver: zodResolver(arrival),
    defaultValues: { arrived: '' },
  })
  const { register, handleSubmit, reset, setError, setFocus, formState } = form
  const { errors, isSubmitting } = formState
  const failure = useFailure(setError, ['arrived'])
  /** What was sent and may have been done: an answer that was lost does not say. Sent again, it is done once. */
  const sent = useRef<Arrival>(undefined)

  function ask() {
    failure.clear()
    sent.current = undefined
    reset()
    dialog.current?.showModal()
    setFocus('arrived')
  }

  const submit = handleSubmit(async ({ arrived }) => {
    failure.clear()
    try {
      const again = sent.current?.arrived === arrived ? sent.current : await readArrival(part._id, arrived)
      const { total } = await addToStock(again, (arrival) => {
        sent.current = arrival
      })
      sent.current = undefined
      dialog.current?.close()
      say(`${part.name}: ${arrived} arrived, ${total} available now`)
    } catch (error) {
      failure.show(error)
      if (isOutage(error)) return
      sent.current = undefined
    }
    await revalidate()
  })

  return (
    <>
      <button type="button" className="btn btn-sm" onClick={ask}>
        Restock
      </button>
      <dialog ref={dialog} className="modal text-left" aria-labelledby={id}>
        <form method="post" noValidate className="modal-box" onSubmit={submit}>
          <h2 id={id} className="mb-4">{`Restock ${part.name}`}</h2>
          <Field
            label="Arrived"
            inputMode="numeric"
            autoComplete="off"
            error={errors.arrived?.message}
            hint="Comes on top of what is available at this moment."
            {...register('arrived')}
          />
          <FormFailure message={failure.failure} />
          <div className="modal-action">
            <SubmitButton busy={isSubmitting} className="">
              Add to stock
            </SubmitButton>
            <button type="button" className="btn" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

interface Arrival {
  partId: string
  arrived: number
  body: PartChange
  total: number
  key: string
}

/** How often to try again when something is sold in between. */
const mostTries = 5

/** What makes the stock that much more than it is at this moment. Throws CallFailed. */
async function readArrival(partId: string, arrived: number): Promise<Arrival> {
  const { _id, views, ...part } = await client.readPart({ params: { partId } })
  const availableQuantityBefore = part.availableQuantity
  const total = availableQuantityBefore + arrived
  if (total > 1_000_000) {
    const words = `There are ${availableQuantityBefore} already, and room for 1,000,000`
    throw new CallFailed(400, '', { arrived: [words] })
  }
  const body = { ...part, availableQuantity: total, availableQuantityBefore }
  return { partId, arrived, body, total, key: crypto.randomUUID() }
}

/** Adds to the stock, so that nothing sold in between comes back. `sending` hears of each try. Throws CallFailed. */
async function addToStock(
  arrival: Arrival,
  sending: (arrival: Arrival) => void,
  tries = mostTries,
): Promise<Arrival> {
  const { partId, arrived, body, key } = arrival
  sending(arrival)
  try {
    await client.updatePart({ params: { partId }, body, key })
    return arrival
  } catch (error) {
    const moved = error instanceof CallFailed && error.status === 409 && error.fields.availableQuantity
    if (!moved || tries <= 1) throw error
    return addToStock(await readArrival(partId, arrived), sending, tries - 1)
  }
}
