import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { usePendingRequest } from '#app/ui/behaviour/pending-request.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { formatDollars, toCents } from '#shop/money.ts'
import {
  type OrderRefundRequest,
  priceToRefund,
  type RefundRow,
  refundableQuantity,
  rowError,
  sumRefund,
  toRefundedLines,
} from '#shop/orders/order-refund.ts'
import { type Purchase, refundableDelivery, refundRequest } from '#shop/orders/purchase.ts'

const emptyRow: RefundRow = { quantity: '', amount: '' }

/** `lines`: those of the order that can be refunded. `order` has the amounts of all. */
export function useRefundOrder(order: Purchase, lines: Purchase[]) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const [typed, setTyped] = useState<Record<string, RefundRow>>({})
  const [delivery, setDelivery] = useState('')
  const [reason, setReason] = useState('')
  // What has left the house comes back used, if at all.
  const notShipped = lines.every(({ shippedQuantity }) => shippedQuantity === 0)
  const [restock, setRestock] = useState(notShipped)
  const [checked, setChecked] = useState(false)
  const [message, setMessage] = useState<string>()
  const [confirming, setConfirming] = useState<OrderRefundRequest>()
  const [busy, setBusy] = useState(false)
  const pendingRequest = usePendingRequest<OrderRefundRequest>()

  const findRow = (line: Purchase) => typed[line._id] ?? emptyRow
  const rows = Object.fromEntries(lines.map((line) => [line._id, findRow(line)]))
  const errors = Object.fromEntries(lines.map((line) => [line._id, rowError(line, findRow(line))]))
  const deliveryError = findDeliveryError(order, delivery)
  const isValid = deliveryError === null && Object.values(errors).every((error) => error === null)
  const request = isValid ? toRequest(toRefundedLines(lines, rows, restock), delivery) : { lines: [] }
  const isEmpty = request.lines.length === 0 && !request.delivery
  const total = sumOrderRefund(request)

  function open() {
    setMessage(undefined)
    setConfirming(undefined)
    // Something may have shipped since the page was opened.
    if (Object.keys(typed).length === 0) setRestock(notShipped)
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.select()
  }

  function reset() {
    clear()
    setReason('')
    setRestock(notShipped)
    setChecked(false)
  }

  function clear() {
    setTyped({})
    setDelivery('')
  }

  /** The amount follows the quantity until it is typed over. */
  function setQuantity(line: Purchase, quantity: string) {
    const count = Number(quantity.trim())
    const known = quantity.trim() !== '' && Number.isInteger(count) && count > 0
    setTyped({ ...typed, [line._id]: { quantity, amount: known ? toInput(priceToRefund(line, count)) : '' } })
  }

  function setAmount(line: Purchase, amount: string) {
    setTyped({ ...typed, [line._id]: { ...findRow(line), amount } })
  }

  function chooseAll() {
    const all = lines.map((line): [string, RefundRow] => {
      const quantity = refundableQuantity(line)
      return [line._id, { quantity: String(quantity), amount: toInput(priceToRefund(line, quantity)) }]
    })
    setTyped(Object.fromEntries(all))
    const left = refundableDelivery(order)
    setDelivery(left > 0 ? toInput(left) : '')
  }

  function requestConfirmation() {
    setChecked(true)
    setMessage(undefined)
    if (!isValid || isEmpty || reason.trim() === '') return focusError()
    const body = { ...request, reason: reason.trim() }
    if (pendingRequest.otherThan(body)) return setMessage(unknownOutcomeMessage)
    setConfirming(body)
  }

  function focusError() {
    requestAnimationFrame(() =>
      dialog.current
        ?.querySelector<HTMLElement>(isValid && isEmpty ? 'input' : '[aria-invalid=true]')
        ?.focus(),
    )
  }

  async function submit(body: OrderRefundRequest) {
    if (busy) return
    setBusy(true)
    try {
      const params = { id: order.orderId }
      const updated = await adminClient.refundOrder({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      reset()
      const amount = formatDollars(sumOrderRefund(body))
      const isMade = toCents(updated.refunded) >= toCents(order.refunded) + toCents(sumOrderRefund(body))
      showToast(
        isMade
          ? `Refunded ${amount}`
          : `The refund of ${amount} is saved but not made yet. We keep trying, and list it under “Needs your attention” if the payment provider rejects it.`,
      )
    } catch (error) {
      setMessage(errorText(error))
      const closed = !dialog.current?.open
      if (closed) showError(error)
      else if (isOutage(error)) return
    } finally {
      setConfirming(undefined)
      setBusy(false)
    }
    pendingRequest.clear()
    // Not awaited: the form may be opened again before.
    revalidate()
  }

  function handleClose() {
    if (!busy && pendingRequest.clear()) revalidate()
  }

  return {
    dialog,
    findRow,
    errorOf: (line: Purchase) => (checked || findRow(line).amount !== '' ? errors[line._id] : null),
    delivery,
    deliveryError,
    reason,
    reasonError: checked && reason.trim() === '' ? 'Reason is required' : undefined,
    restock,
    /** Whether parts are refunded that go to the customer all the same. */
    isStillShipped: !restock && lines.some((line) => line.toShip > 0 && Number(findRow(line).quantity) > 0),
    emptyError: checked && isValid && isEmpty ? 'Enter how many parts, or how much, to refund.' : undefined,
    total,
    message,
    confirming,
    busy,
    open,
    clear,
    chooseAll,
    setQuantity,
    setAmount,
    setDelivery,
    setReason,
    setRestock,
    requestConfirmation,
    edit: () => setConfirming(undefined),
    submit,
    handleClose,
  }
}

/** With cents only when there are some. */
function toInput(dollars: number) {
  return Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
}

/** Null when it can be refunded as typed, or is empty. */
function findDeliveryError(order: Purchase, typed: string): string | null {
  if (typed.trim() === '') return null
  const dollars = refundRequest.shape.amount.safeParse(typed)
  if (!dollars.success) return dollars.error.issues[0]!.message
  const left = refundableDelivery(order)
  return dollars.data > left ? `Amount must be at most ${formatDollars(left)}` : null
}

function toRequest(lines: OrderRefundRequest['lines'], delivery: string) {
  return {
    lines,
    ...(delivery.trim() !== '' && { delivery: refundRequest.shape.amount.parse(delivery) }),
  }
}

/** Dollars. */
export function sumOrderRefund({ lines, delivery = 0 }: Pick<OrderRefundRequest, 'lines' | 'delivery'>) {
  return sumRefund([...lines, { amount: delivery }])
}

const unknownOutcomeMessage =
  'We couldn’t confirm whether the last refund was made. Try the same refund again without changing it (the customer won’t be refunded twice), or cancel and check the timeline.'
