import { type ClipboardEvent, type SubmitEvent, useId, useState } from 'react'
import { adminClient } from '#app/admin/client.ts'
import { ListFile } from '#app/basket/list/list-file.tsx'
import { doubtTyped, useTrackingDoubt } from '#app/orders/ship/use-tracking-doubt.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { describeLines } from '#shop/orders/describe-lines.ts'
import { carrierName, carriers } from '#shop/orders/ship/carriers.ts'
import type { ShippedOrder } from '#shop/orders/ship/shipment.ts'
import { matchTracking, readPastedColumn, readTrackingList } from '#shop/orders/ship/tracking-list.ts'
import { findSameTracking, guessCarrier } from '#shop/orders/ship/tracking-shape.ts'
import type { OutcomeUpdate, ShipOutcome, TypedTracking } from './use-shipping.ts'

interface Props {
  outcome: ShipOutcome
  change: (update: OutcomeUpdate) => void
}

const perCall = 100
const maxProblems = 8

/** A field for each shipment: typed, pasted as a column, or read from the carrier’s file. */
export function TrackingNumbers({ outcome, change }: Props) {
  const { shipped } = outcome
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<string[]>([])
  const doubt = useTrackingDoubt()
  const trackingOf = (shipment: ShippedOrder) => findTyped(outcome, shipment)
  const unsaved = findUnsaved(outcome)
  const parcels = shipped.map((shipment) => ({ ...shipment, ...trackingOf(shipment) }))
  const unsavedParcels = parcels
    .filter(({ _id }) => unsaved.some((shipment) => shipment._id === _id))
    .map((parcel) => ({ ...parcel, alsoFor: findSameTracking(parcel, parcels) }))
  const chosen = new Set(shipped.map((shipment) => trackingOf(shipment).carrier))
  const carrier = chosen.size === 1 ? [...chosen][0]! : ''

  function enter(values: Record<string, Partial<TypedTracking>>) {
    const entered = shipped.flatMap((shipment) => {
      const value = values[shipment._id]
      return value ? [[shipment._id, { ...trackingOf(shipment), ...value }] as const] : []
    })
    const without = Object.entries(errors).filter(([id]) => !values[id])
    setErrors(Object.fromEntries(without))
    change(({ typed }) => ({ typed: { ...typed, ...Object.fromEntries(entered) } }))
  }

  function paste(event: ClipboardEvent, from: number) {
    const cells = readPastedColumn(event.clipboardData.getData('text'))
    if (cells.length === 0) return
    event.preventDefault()
    const fields = shipped.slice(from, from + cells.length)
    enter(Object.fromEntries(fields.map(({ _id }, i) => [_id, { trackingNumber: cells[i]! }])))
    const more = cells.length - fields.length
    setNotes(more > 0 ? [`${more} more pasted than there are fields: they were left out.`] : [])
  }

  function readFile(text: string) {
    const list = readTrackingList(text)
    if ('error' in list) return setNotes([list.error])
    // Of several shipments of an order, the newest.
    const { found, problems } = matchTracking(list.rows, shipped.toReversed())
    enter(
      Object.fromEntries(
        Object.entries(found).map(([id, { carrier, trackingNumber }]) => [
          id,
          carrier ? { carrier, trackingNumber } : { trackingNumber },
        ]),
      ),
    )
    const more = problems.length - maxProblems
    setNotes([
      `${Object.keys(found).length} of ${shipped.length} filled in from the file. Check them, then save.`,
      ...problems.slice(0, maxProblems),
      ...(more > 0 ? [`${more} more lines fit no order.`] : []),
    ])
  }

  async function save(event: SubmitEvent) {
    event.preventDefault()
    if (busy) return
    if (unsaved.length === 0) return setNotes(['Enter a tracking number first.'])
    if (doubt.holdsBack(...unsavedParcels)) return setNotes(listDoubts(unsavedParcels))
    setBusy(true)
    const failures: Record<string, string> = {}
    const saved = new Set<string>()
    try {
      for (let i = 0; i < unsaved.length; i += perCall) {
        const shipments = unsaved.slice(i, i + perCall).map((shipment) => {
          const { _id, carrier, trackingNumber } = shipment
          return { _id, ...withCarrier(trackingOf(shipment)), before: { carrier, trackingNumber } }
        })
        const result = await adminClient.saveTracking({ body: { shipments } })
        for (const { _id, reason } of result.failed) failures[_id] = reason
        for (const _id of result.saved) saved.add(_id)
      }
      const failed = Object.keys(failures).length
      // Not as a toast, which on a phone would cover fields.
      const all = saved.size === 1 ? 'Tracking saved' : `Tracking of ${saved.size} shipments saved`
      setNotes([failed > 0 ? `${saved.size} saved, ${failed} not.` : all])
    } catch (error) {
      showError(error)
    }
    setErrors(failures)
    change((before) => ({
      shipped: before.shipped.map((shipment) =>
        saved.has(shipment._id) ? { ...shipment, ...toStored(withCarrier(trackingOf(shipment))) } : shipment,
      ),
      // What was typed meanwhile is not saved.
      typed: Object.fromEntries(
        Object.entries(before.typed).filter(([id, typed]) => !saved.has(id) || typed !== outcome.typed[id]),
      ),
    }))
    setBusy(false)
  }

  return (
    <form method="post" noValidate className="mt-4 border-t border-base-300 pt-4" onSubmit={save}>
      <h2 className="text-base">Tracking numbers</h2>
      <p className="mt-1 text-sm text-base-content/75">
        Type them, paste a column into the first field, or choose the carrier’s file with columns for order
        number, tracking number and carrier.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <label className="grid gap-1 text-sm font-medium" htmlFor={`${id}-carrier`}>
          Carrier
          <select
            id={`${id}-carrier`}
            className="select w-48"
            value={carriers.includes(carrier) ? carrier : ''}
            onChange={({ target }) =>
              enter(Object.fromEntries(shipped.map(({ _id }) => [_id, { carrier: target.value }])))
            }
          >
            <option value="">{chosen.size > 1 ? 'Several' : carrier || 'Not given'}</option>
            {carriers.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ListFile onText={readFile} onError={(message) => setNotes([message])} />
      </div>
      <ul className="-mx-1 mt-2 grid max-h-96 gap-4 overflow-y-auto p-1 sm:gap-2 print:max-h-none">
        {shipped.map((shipment, i) => {
          const { _id, number, name, lines } = shipment
          const value = trackingOf(shipment)
          return (
            <li
              key={_id}
              className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_16rem_8rem]"
            >
              <label htmlFor={`${id}-${_id}`} className="min-w-0 wrap-anywhere">
                <span className="font-medium">{`#${number}`}</span> <bdi>{name}</bdi>{' '}
                <span className="text-sm text-base-content/75">{describeLines(lines)}</span>
              </label>
              <input
                id={`${id}-${_id}`}
                className={`input w-full ${errors[_id] ? 'input-error' : ''}`}
                autoComplete="off"
                spellCheck={false}
                maxLength={40}
                placeholder="Tracking number"
                aria-invalid={errors[_id] ? true : undefined}
                aria-describedby={errors[_id] ? `${id}-${_id}-error` : undefined}
                value={value.trackingNumber}
                onPaste={(event) => paste(event, i)}
                onChange={({ target }) => enter({ [_id]: { trackingNumber: target.value } })}
              />
              <span className="min-h-5 max-sm:empty:hidden text-sm text-base-content/75">
                {[value.carrier, isSaved(shipment, value) && 'Saved'].filter(Boolean).join(', ')}
              </span>
              {errors[_id] && (
                <p id={`${id}-${_id}-error`} className="text-sm text-error sm:col-span-3">
                  {errors[_id]}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <SubmitButton busy={busy} className="mt-3 btn-sm">
        {doubt.find(...unsavedParcels) ? 'Save anyway' : 'Save tracking numbers'}
      </SubmitButton>
      {/* Below, so that no field moves. */}
      <div role="status">
        <ul className="mt-2 text-sm empty:hidden">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
    </form>
  )
}

function findTyped({ typed }: ShipOutcome, shipment: ShippedOrder): TypedTracking {
  return typed[shipment._id] ?? savedOf(shipment)
}

/** The shipments of which something is typed that is not saved. */
export function findUnsaved(outcome: ShipOutcome) {
  return outcome.shipped.filter((shipment) => isChanged(findTyped(outcome, shipment), savedOf(shipment)))
}

/** Each once. */
function listDoubts(unsaved: (TypedTracking & { number: string; alsoFor: string | undefined })[]): string[] {
  const found = unsaved.flatMap((parcel) => {
    const doubt = doubtTyped(parcel)
    return doubt ? [`#${parcel.number}, ${parcel.trackingNumber}: ${doubt}`] : []
  })
  const more = found.length - maxProblems
  return [...new Set(found.slice(0, maxProblems)), ...(more > 0 ? [`${more} more look wrong.`] : [])]
}

function withCarrier({ carrier, trackingNumber }: TypedTracking): TypedTracking {
  return { carrier: carrierName(carrier.trim() || (guessCarrier(trackingNumber) ?? '')), trackingNumber }
}

function savedOf({ carrier, trackingNumber }: ShippedOrder): TypedTracking {
  return { carrier: carrier ?? '', trackingNumber: trackingNumber ?? '' }
}

function toStored({ carrier, trackingNumber }: TypedTracking) {
  return { carrier: carrier.trim() || null, trackingNumber: trackingNumber.trim() || null }
}

function isChanged(value: TypedTracking, saved: TypedTracking) {
  return (
    (value.trackingNumber.trim() !== '' || saved.trackingNumber !== '') &&
    (value.trackingNumber.trim() !== saved.trackingNumber || value.carrier.trim() !== saved.carrier)
  )
}

function isSaved(shipment: ShippedOrder, value: TypedTracking) {
  return shipment.trackingNumber !== null && !isChanged(value, savedOf(shipment))
}
