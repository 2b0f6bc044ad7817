import { Link, useNavigation, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { overviewQuery } from '#shop/overview/overview.ts'
import { type Period, periods } from '#shop/overview/period.ts'
import type { Route } from './+types/overview'
import { BestParts } from './best-parts.tsx'
import { SalesOfPeriod } from './sales-of-period.tsx'
import { WaitingFigures } from './waiting-figures.tsx'

export const meta = () => noindex('Overview')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const requested = new URL(request.url).searchParams.get('period')
  const { period } = overviewQuery.parse(
    periods.some((period) => period === requested) ? { period: requested } : {},
  )
  const overview = await adminClient.readOverview({ body: { period } })
  return { period, overview, timeZone: readTimeZone() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function OverviewPage({ loaderData: { period, overview, timeZone } }: Route.ComponentProps) {
  const loading = useNavigation().state === 'loading'
  return (
    <>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1>Overview</h1>
        <Refresh asOf={overview.asOf} />
      </div>
      {!overview.chargesDecided && <ChargesNotice />}
      <section aria-labelledby="waiting" className="mb-10">
        <h2 id="waiting" className="mb-4 text-title">
          What’s waiting
        </h2>
        <WaitingFigures waiting={overview.waiting} />
      </section>
      <section aria-labelledby="sales">
        <h2 id="sales" className="mb-4 text-title">
          Sales
        </h2>
        {overview.hasSales ? (
          <div aria-busy={loading} className={`transition-opacity ${loading ? 'opacity-60' : ''}`}>
            <PeriodLinks current={period} />
            <SalesOfPeriod period={period} timeZone={timeZone} overview={overview} />
            <BestParts overview={overview} />
          </div>
        ) : (
          <NoSales />
        )}
      </section>
    </>
  )
}

function ChargesNotice() {
  return (
    <section aria-labelledby="undecided" className="mb-8 rounded-box border border-warning p-4">
      <h2 id="undecided" className="text-lg">
        Delivery and tax are not decided
      </h2>
      <p className="mt-1">
        {'Delivery is free everywhere and no tax is charged until you '}
        <Link to="/dashboard/deliveryAndTax" className="link">
          set delivery and tax
        </Link>
        . If that’s what you want, save it there, and this notice goes away.
      </p>
    </section>
  )
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** In the reader's time zone. */
function Refresh({ asOf }: { asOf: string }) {
  const { state, revalidate } = useRevalidator()
  const busy = state === 'loading'
  return (
    <div className="flex items-center gap-4">
      <p role="status" className="text-sm text-base-content/75">
        {'As of '}
        <time dateTime={asOf}>{timeFormat.format(new Date(asOf))}</time>
      </p>
      <button
        type="button"
        className="btn btn-sm"
        aria-disabled={busy}
        onClick={() => !busy && void revalidate()}
      >
        {busy ? 'Refreshing…' : 'Refresh'}
      </button>
    </div>
  )
}

const periodLabels: Record<Period, string> = {
  '7d': '7 days',
  '30d': '30 days',
  '12w': '12 weeks',
  '12m': '12 months',
}

function PeriodLinks({ current }: { current: Period }) {
  return (
    <nav aria-label="Period" className="mb-5 overflow-x-auto border-b border-base-300">
      <ul className="flex gap-5">
        {periods.map((period) => (
          <li key={period}>
            <Link
              to={`?period=${period}`}
              aria-current={period === current ? 'page' : undefined}
              preventScrollReset
              className="block border-b-2 border-transparent px-1 py-2 whitespace-nowrap hover:border-base-content/40 aria-[current=page]:border-primary aria-[current=page]:font-semibold"
            >
              {periodLabels[period]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NoSales() {
  return (
    <>
      <p className="mb-5">No sales yet. They appear here when customers pay for their orders.</p>
      <Link to="/dashboard/addProduct" className="btn">
        Add a product
      </Link>
    </>
  )
}
