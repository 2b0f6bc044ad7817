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
  priceOf,
  type RefundRow,
  returnableQuantity,
  rowError,
  sumRefund,
  toRefundedLines,
} from '#shop/orders/order-refund.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

const emptyRow: RefundRow = { quantity: '', amount: '' }

/** `lines`: those of the order that can be refunded. */
export function useRefundOrder(order: Purchase, lines: Purchase[]) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const [typed, setTyped] = useState<Record<string, RefundRow>>({})
  const [reason, setReason] = useState('')
  const [restock, setRestock] = useState(true)
  const [checked, setChecked] = useState(false)
  const [message, setMessage] = useState<string>()
  const [confirming, setConfirming] = useState<OrderRefundRequest>()
  const [busy, setBusy] = useState(false)
  const pendingRequest = usePendingRequest<OrderRefundRequest>()

  const rowOf = (line: Purchase) => typed[line._id] ?? emptyRow
  const rows = Object.fromEntries(lines.map((line) => [line._id, rowOf(line)]))
  const errors = Object.fromEntries(lines.map((line) => [line._id, rowError(line, rowOf(line))]))
  const isValid = Object.values(errors).every((error) => error === null)
  const request = isValid ? toRefundedLines(lines, rows, restock) : []
  const total = sumRefund(request)

  function open() {
    setMessage(undefined)
    setConfirming(undefined)
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.select()
  }

  function reset() {
    setTyped({})
    setReason('')
    setRestock(true)
    setChecked(false)
  }

  /** The amount follows the quantity until it is typed over. */
  function setQuantity(line: Purchase, quantity: string) {
    const count = Number(quantity.trim())
    const known = quantity.trim() !== '' && Number.isInteger(count) && count > 0
    setTyped({ ...typed, [line._id]: { quantity, amount: known ? String(priceOf(line, count)) : '' } })
  }

  function setAmount(line: Purchase, amount: string) {
    setTyped({ ...typed, [line._id]: { ...rowOf(line), amount } })
  }

  function chooseAll() {
    const all = lines.map((line): [string, RefundRow] => {
      const quantity = returnableQuantity(line)
      return [line._id, { quantity: String(quantity), amount: String(priceOf(line, quantity)) }]
    })
    setTyped(Object.fromEntries(all))
  }

  function requestConfirmation() {
    setChecked(true)
    setMessage(undefined)
    if (!isValid || reason.trim() === '') return
    if (request.length === 0) return setMessage('Enter how many parts, or how much, to refund.')
    const body = { lines: request, reason: reason.trim() }
    if (pendingRequest.otherThan(body)) return setMessage(unknownOutcomeMessage)
    setConfirming(body)
  }

  async function submit(body: OrderRefundRequest) {
    if (busy) return
    setBusy(true)
    try {
      const params = { id: order.orderId }
      const updated = await adminClient.refundOrder({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      reset()
      const amount = formatDollars(sumRefund(body.lines))
      const isMade = toCents(updated.refunded) >= toCents(order.refunded) + toCents(sumRefund(body.lines))
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
    rowOf,
    errorOf: (line: Purchase) => (checked || rowOf(line).amount !== '' ? errors[line._id] : null),
    reason,
    reasonError: checked && reason.trim() === '' ? 'Reason is required' : undefined,
    restock,
    total,
    message,
    confirming,
    busy,
    open,
    clear: () => setTyped({}),
    chooseAll,
    setQuantity,
    setAmount,
    setReason,
    setRestock,
    requestConfirmation,
    edit: () => setConfirming(undefined),
    submit,
    handleClose,
  }
}

const unknownOutcomeMessage =
  'We couldn’t confirm whether the last refund was made. Try the same refund again without changing it (the customer won’t be refunded twice), or cancel and check the timeline.'
