import { Link } from 'react-router'
import { useRowLabel } from '#app/ui/table/row-name.tsx'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { type AuditEntry, describeAction } from '#shop/audit/audit.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { formatHsCode } from '#shop/parts/customs.ts'
import { formatWeight } from '#shop/parts/weight.ts'

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** In the reader's time zone. */
export function formatAuditTime(at: string) {
  return timeFormat.format(new Date(at))
}

export function AuditTime({ at }: { at: string }) {
  return <time dateTime={at}>{formatAuditTime(at)}</time>
}

/** What was done to what, and the values before and after. */
export function AuditChange({ entry }: { entry: AuditEntry }) {
  const { action, subjectKind, subjectId, subject } = entry
  const label = describeAction(action)
  const pages = {
    part: `/dashboard/manageProducts/${subjectId}`,
    attribute: `/dashboard/attributes?${new URLSearchParams({ q: subject })}`,
    order: `/dashboard/orders/${subjectId}`,
    user: `/dashboard/customers/${subjectId}`,
    message: `/dashboard/messages/${subjectId}`,
    review: `/dashboard/reviews?${new URLSearchParams({ q: subject })}`,
    invitation: '/dashboard#invitations',
    quote: `/dashboard/quotes/${subjectId}`,
    drawing: `/dashboard/drawings/${subjectId}`,
    settings:
      subjectId === 'deliveryAndTax' ? '/dashboard/deliveryAndTax' : `/dashboard/settings/${subjectId}`,
    search: '/dashboard/synonyms',
    export: `/dashboard/auditLog?${new URLSearchParams({ action })}`,
  }
  const values = listValues(entry)
  const about = (
    <>
      {`${label} `}
      <Link to={pages[subjectKind]} className="link wrap-anywhere">
        {subject}
      </Link>
    </>
  )
  if (values.length > 1) {
    return (
      <div className="flex flex-wrap items-baseline gap-x-3 max-md:text-left">
        <p>{about}</p>
        <HiddenValues entry={entry} />
      </div>
    )
  }
  return (
    <div className="max-md:text-left">
      <p className="wrap-anywhere">
        {about}
        {values[0] && <span className="text-sm text-base-content/75">{`: ${values[0]}`}</span>}
      </p>
    </div>
  )
}

/** Many are behind a button. */
export function AuditValues({ entry }: { entry: AuditEntry }) {
  const values = listValues(entry)
  return values.length > fewValues ? <HiddenValues entry={entry} /> : <Values values={values} />
}

const fewValues = 6

function HiddenValues({ entry }: { entry: AuditEntry }) {
  const label = entry.after ? 'Show values' : 'Show values before deleting'
  const rowLabel = useRowLabel(label)
  return (
    <details className="text-sm open:basis-full">
      <summary className="link" aria-label={rowLabel}>
        {label}
      </summary>
      <Values values={listValues(entry)} />
    </details>
  )
}

function Values({ values }: { values: string[] }) {
  return (
    <ul className="text-sm text-base-content/75">
      {values.map((value) => (
        <li key={value} className="wrap-anywhere">
          {value}
        </li>
      ))}
    </ul>
  )
}

/** Such as `Price: $24 → $22`. */
function listValues({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  const values = after ?? before ?? {}
  // Of what is new or gone, only what it had.
  const names = Object.keys(values).filter((name) => (before && after) || !isEmpty(values[name]))
  return names.map((name) => {
    const earlier = before && after ? `${format(name, before[name])} → ` : ''
    return `${valueNames[name] ?? name}: ${earlier}${format(name, values[name])}`
  })
}

const valueNames: Record<string, string> = {
  name: 'Name',
  shortDescription: 'Short description',
  description: 'Description',
  image: 'Picture',
  views: 'More pictures',
  brand: 'Brand',
  category: 'Category',
  minQuantity: 'Minimum quantity',
  availableQuantity: 'In stock',
  perUnitPrice: 'Price',
  partNumber: 'Part number',
  multiple: 'Multiple',
  cartonSize: 'Carton size',
  priceBreaks: 'Price breaks',
  reorderPoint: 'Reorder point',
  weight: 'Weight',
  taxClass: 'Tax class',
  origin: 'Country of origin',
  hsCode: 'HS code',
  gtin: 'GTIN',
  role: 'Role',
  carrier: 'Carrier',
  trackingNumber: 'Tracking number',
  shipped: 'Items',
  items: 'Items',
  item: 'Item',
  refunded: 'Refunded',
  reason: 'Reason',
  returnedToStock: 'Returned to stock',
  task: 'Task',
  reference: 'Reference',
  answered: 'Answered',
  reply: 'Reply',
  hidden: 'Hidden',
  answer: 'Answer',
  assignee: 'Assigned to',
  note: 'Note',
  tag: 'Tag',
  account: 'Account',
  vatId: 'VAT ID',
  exemption: 'Exemption certificate',
  consultation: 'Consultation number',
  registeredName: 'Registered name',
  expectedOn: 'Expected on',
  quantity: 'Quantity',
  expectedQuantity: 'Still expected',
  q: 'Search',
  status: 'Status',
  from: 'From',
  to: 'To',
  selected: 'Selected',
  kind: 'Kind',
  unit: 'Unit',
  choices: 'Choices',
  isFilter: 'Filter in the catalogue',
  before: 'Before',
  behind: 'Behind',
  parts: 'Parts that had it',
}

const dollars = ['perUnitPrice', 'unitPrice', 'refunded']
const maxLength = 200

function isEmpty(value: unknown) {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function format(name: string, value: unknown): string {
  if (isEmpty(value)) return 'none'
  if (name === 'weight' && typeof value === 'number') return formatWeight(value)
  if (name === 'origin' && typeof value === 'string') return nameCountry(value)
  if (name === 'hsCode' && typeof value === 'string') return formatHsCode(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return dollars.includes(name) ? formatDollars(value) : formatCount(value)
  if (Array.isArray(value)) return value.map(formatItem).join(', ')
  const text = String(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function formatItem(item: unknown) {
  const { quantity, unitPrice } = item as { quantity?: number; unitPrice?: number }
  return quantity !== undefined && unitPrice !== undefined
    ? `${formatDollars(unitPrice)} from ${formatCount(quantity)}`
    : String(item)
}
