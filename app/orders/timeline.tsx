import { Link } from 'react-router'
import { AuditValues } from '#app/admin/audit/audit-change.tsx'
import { brand } from '#app/brand.ts'
import { type AuditAction, type AuditEntry, describeAction } from '#shop/audit/audit.ts'
import { formatDollars } from '#shop/money.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import type { OrderEvent, Purchase } from '#shop/orders/purchase.ts'
import { TransactionId } from './transaction-id.tsx'

const labels: Record<OrderEvent['kind'], string> = {
  placed: 'Ordered',
  paid: 'Paid',
  shipped: 'Shipped',
  'not shipped': 'Marked as not shipped:',
  expired: 'Expired',
  cancelled: 'Cancelled',
  'reserved again': 'Reserved again',
  'delivery changed': 'Delivery address changed',
  'cancellation requested': 'Cancellation requested',
  'cancellation declined': 'Cancellation declined',
  'refund requested': 'Refund started',
  refunded: 'Refunded',
  'refund rejected': 'Refund rejected',
  'refunded another way': 'Refunded another way:',
  'refund failed': 'Refund failed',
  'dispute opened': 'Dispute opened:',
  'dispute won': 'Dispute won:',
  'dispute lost': 'Dispute lost:',
  'inquiry opened': 'The customer’s bank asked about',
  'inquiry closed': 'Inquiry closed:',
}

const collectedLabels: Partial<typeof labels> = {
  shipped: 'Ready to collect:',
  'not shipped': 'Marked as not ready:',
  'delivery changed': 'Address changed',
}

interface Props {
  events: OrderEvent[]
  /** By admins, newest first; null for a customer. */
  changes: AuditEntry[] | null
  order: Pick<Purchase, 'orderId' | 'collected'>
}

type Entry = { at: string; event: OrderEvent } | { at: string; change: AuditEntry }

/** What happened to an order; for admins, with what they changed. */
export function Timeline({ events, changes, order: { orderId, collected } }: Props) {
  const count = (kind: OrderEvent['kind']) => events.filter((event) => event.kind === kind).length
  const isRefundPending = count('refund requested') > count('refund rejected') + count('refunded another way')
  return (
    <section>
      <h2 id="timeline" className="text-base">
        Timeline
      </h2>
      <ol aria-labelledby="timeline" className="mt-3 ml-1.5 border-l border-base-300 text-sm">
        {joinEntries(events, changes ?? []).map((entry) => (
          <li key={toKey(entry)} className="relative pb-5 pl-5 last:pb-0">
            <span
              aria-hidden="true"
              className="absolute top-1 -left-1.5 size-3 rounded-full border-2 border-base-100 bg-base-content"
            />
            {'event' in entry ? (
              <TimelineEntry event={entry.event} collected={collected} />
            ) : (
              <ChangeEntry change={entry.change} />
            )}
          </li>
        ))}
      </ol>
      {isRefundPending && (
        <p className="mt-5 text-sm">The refund completes as soon as the payment provider confirms it.</p>
      )}
      {changes && changes.length > 0 && (
        <p className="mt-4 text-sm">
          <Link
            to={`/dashboard/auditLog?${new URLSearchParams({ subjectKind: 'order', subjectId: orderId })}`}
            className="link"
          >
            Show changes in the audit log
          </Link>
        </p>
      )}
    </section>
  )
}

/** Oldest first. An event says itself what its change was. */
function joinEntries(events: OrderEvent[], changes: AuditEntry[]): Entry[] {
  const others = changes.filter(({ action }) => !asEvents.has(action))
  return [
    ...events.map((event) => ({ at: event.at, event })),
    ...others.map((change) => ({ at: change.at, change })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

const toldByEvents: AuditAction[] = [
  'shipOrder',
  'shipPurchase',
  'shipOrders',
  'removeShipment',
  'undoShipments',
  'cancelPurchase',
  'cancelOrder',
  'refundPurchase',
  'refundOrder',
]
/** `shipItems` was a call of earlier versions. */
const asEvents = new Set<string>([...toldByEvents, 'shipItems'])

function toKey(entry: Entry) {
  if ('change' in entry) return entry.change._id
  const { kind, at, reference, items } = entry.event
  return `${kind} ${at} ${reference} ${items?.map(({ parts, quantity }) => `${quantity} ${parts}`)}`
}

function ChangeEntry({ change }: { change: AuditEntry }) {
  return (
    <>
      <p className="font-medium">{describeAction(change.action)}</p>
      <p className="text-base-content/75 wrap-anywhere">
        <When at={change.at} />
        {` by ${change.by.name}`}
      </p>
      <AuditValues entry={change} />
    </>
  )
}

function TimelineEntry({ event, collected }: { event: OrderEvent; collected: boolean }) {
  const { kind, at, by, reason, reference } = event
  return (
    <>
      <p className="font-medium">
        {describeEvent(event, collected ? { ...labels, ...collectedLabels } : labels)}
      </p>
      <p className="text-base-content/75 wrap-anywhere">
        <When at={at} />
        {!byProvider.has(kind) && ` by ${by ?? brand.name}`}
      </p>
      {reason && <p className="whitespace-pre-line wrap-anywhere">{reason}</p>}
      {reference && kind !== 'paid' && (
        <p>
          <TransactionId id={reference} />
        </p>
      )}
    </>
  )
}

function describeEvent({ kind, amount, delivery, items }: OrderEvent, names: typeof labels) {
  if (amount === null) return [names[kind], describeLines(items)].filter(Boolean).join(' ')
  const paid = `${names[kind]} ${formatDollars(amount)}`
  const isOfDelivery = delivery !== undefined && delivery === amount
  const isPartly = delivery !== undefined && !isOfDelivery
  const parts = isOfDelivery ? 'delivery' : describeLines(items)
  return `${paid}${parts && ` for ${parts}`}${isPartly ? `, including ${formatDollars(delivery)} for delivery` : ''}`
}

const byProvider = new Set<OrderEvent['kind']>([
  'refund rejected',
  'refund failed',
  'dispute opened',
  'dispute won',
  'dispute lost',
  'inquiry opened',
  'inquiry closed',
])

/** To the minute; the second is in the tooltip. */
function When({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactFormat.format(date)}>
      {minuteFormat.format(date)}
    </time>
  )
}

const minuteFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
