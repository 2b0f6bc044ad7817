import { nameTimeZone } from '#shop/dates.ts'
import { formatCount, formatDollars, toDollars } from '#shop/money.ts'
import type { Overview } from '#shop/overview/overview.ts'
import { findUnit, type Period, type StepUnit } from '#shop/overview/period.ts'
import { SalesChart } from './sales-chart.tsx'

const before: Record<Period, string> = {
  '7d': 'the 7 days before',
  '30d': 'the 30 days before',
  '12w': 'the 12 weeks before',
  '12m': 'the 12 months before',
}

const runningSteps: Record<StepUnit, string> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
}

interface Props {
  period: Period
  timeZone: string
  overview: Overview
}

export function SalesOfPeriod({ period, timeZone, overview: { current, previous } }: Props) {
  const unit = findUnit(period)
  const chart = { unit, current: current.steps, previous: previous.steps, before: before[period] }
  return (
    <>
      <dl className="mb-4 grid grid-cols-2 gap-3 xl:grid-cols-4">
        <Total
          label="Sales"
          value={formatCents(current.salesCents)}
          before={`${formatCents(previous.salesCents)} in ${before[period]}`}
        />
        <Total
          label="Orders paid"
          value={formatCount(current.ordersPaid)}
          before={`${formatCount(previous.ordersPaid)} in ${before[period]}`}
        />
        <Total
          label="New customers"
          value={formatCount(current.newCustomers)}
          before={`${formatCount(previous.newCustomers)} in ${before[period]}`}
        />
        <Total
          label="Returning customers"
          value={formatCount(current.returningCustomers)}
          before={`${formatCount(previous.returningCustomers)} in ${before[period]}`}
        />
      </dl>
      <p className="mb-8 max-w-prose text-sm text-base-content/75">
        {`Days are in ${nameTimeZone(timeZone)}, and ${runningSteps[unit]} isn’t over yet. Sales are payments minus refunds; disputed payments aren’t subtracted. ${describeCharges(current)}A new customer paid for an order for the first time.`}
      </p>
      <div className="mb-10 grid gap-8 xl:grid-cols-2">
        <SalesChart
          title={`Sales by ${unit}`}
          {...chart}
          valueIn={({ salesCents }) => toDollars(salesCents)}
          format={formatAmount}
        />
        <SalesChart
          title={`Orders paid by ${unit}`}
          {...chart}
          valueIn={({ ordersPaid }) => ordersPaid}
          format={formatCount}
        />
      </div>
    </>
  )
}

interface TotalProps {
  label: string
  value: string
  before: string
}

function Total({ label, value, before }: TotalProps) {
  return (
    <div className="rounded-box border border-base-300 p-4">
      <dt>{label}</dt>
      <dd className="text-lg font-semibold wrap-anywhere sm:text-2xl">{value}</dd>
      <dd className="mt-1 text-sm text-base-content/75">{before}</dd>
    </div>
  )
}

function formatCents(cents: number) {
  return formatAmount(toDollars(cents))
}

function describeCharges({ deliveryCents, taxCents }: Overview['current']) {
  if (deliveryCents === 0 && taxCents === 0) return ''
  return `They don’t include ${formatCents(deliveryCents)} for delivery and ${formatCents(taxCents)} of tax. `
}

/** Refunds can exceed payments. */
function formatAmount(dollars: number) {
  return dollars < 0 ? `−${formatDollars(-dollars)}` : formatDollars(dollars)
}
