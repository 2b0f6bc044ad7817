import { Fragment } from 'react'
import { Form, useNavigation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { ApiError } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Facts } from '#app/ui/facts.tsx'
import { Field } from '#app/ui/field.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { nameTimeZone } from '#shop/dates.ts'
import { lastMonth, type PaymentPeriod, type PaymentTotals } from '#shop/exports/period.ts'
import { currencyCode, formatCount } from '#shop/money.ts'
import type { Route } from './+types/exports'
import { ExportButtons } from './export-buttons.tsx'

export const meta = () => noindex('Exports')

/** The address has the period; without one, it is last month. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const params = new URL(request.url).searchParams
  const timeZone = readTimeZone()
  const month = lastMonth(Date.now(), timeZone)
  const period = { from: params.get('from') ?? month.from, to: params.get('to') ?? month.to }
  return {
    period,
    timeZone,
    totals: await adminClient.readPaymentTotals({ body: period }).catch(invalidOnly),
  }
}

/** An error in what was entered is shown beside it. */
function invalidOnly(error: unknown): ApiError {
  if (error instanceof ApiError && error.status === 400) return error
  throw error
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Exports({ loaderData: { period, timeZone, totals } }: Route.ComponentProps) {
  const loading = useNavigation().state === 'loading'
  const errors = totals instanceof ApiError ? totals.fields : {}
  return (
    <>
      <h1 className="mb-5">Exports</h1>
      <section aria-labelledby="payments">
        <h2 id="payments" className="mb-2">
          Payments
        </h2>
        <p className="mb-4 max-w-prose">
          {`For your accountant: one row for each payment, refund, failed refund, dispute and won dispute. Money that left the shop is negative. Days begin and end at midnight ${nameTimeZone(timeZone)}.`}
        </p>
        <Form className="flex flex-wrap items-start gap-4">
          {/* New fields after the back button; the button keeps the focus. */}
          <Fragment key={JSON.stringify(period)}>
            <Field label="From" type="date" name="from" defaultValue={period.from} error={errors.from?.[0]} />
            <Field label="To" type="date" name="to" defaultValue={period.to} error={errors.to?.[0]} />
          </Fragment>
          <button type="submit" className="btn sm:mt-6" aria-disabled={loading}>
            {loading ? 'Loading…' : 'Show totals'}
          </button>
        </Form>
        {!(totals instanceof ApiError) && <Totals period={period} totals={totals} />}
      </section>
      <p className="mt-8 max-w-prose text-base-content/75">
        To export orders, products, messages or users, open their list, search or filter it, and select Export
        Excel or Export CSV. CSV is for other programs.
      </p>
    </>
  )
}

function Totals({ period, totals }: { period: PaymentPeriod; totals: PaymentTotals }) {
  const { entries, payments, refunds, disputes, net } = totals
  return (
    <>
      <div role="status" className="mt-2 mb-4">
        {entries === 0 ? (
          <p>No money moved in this period.</p>
        ) : (
          <Facts
            title="Totals"
            facts={[
              ['Payments', formatAmount(payments)],
              ['Refunds', formatAmount(refunds)],
              ['Disputes', formatAmount(disputes)],
              ['Net', formatAmount(net)],
              ['Rows', formatCount(entries)],
            ]}
          />
        )}
      </div>
      <ExportButtons
        className="btn btn-primary"
        download={(format, options) =>
          adminClient.exportPayments({ body: { ...period, format }, ...options })
        }
      />
    </>
  )
}

/** Always with cents, like a column of a spreadsheet. */
function formatAmount(dollars: number) {
  const format = { style: 'currency', currency: currencyCode() } as const
  return new Intl.NumberFormat('en-US', format).format(dollars)
}
