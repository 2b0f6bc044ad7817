import { useEffect, useRef, useState } from 'react'
import { Form, Link, useLocation, useNavigate, useNavigation, useNavigationType } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { randomId } from '#app/browser/random-id.ts'
import { ApiError, isOutage } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { type Column, Table } from '#app/ui/table/table.tsx'
import { formatCount, formatDollars, shortCurrencyName } from '#shop/money.ts'
import { type PriceChangeRow, type PricePreview, priceChange } from '#shop/parts/price-change.ts'
import { maxSearchLength } from '#shop/search/length.ts'
import type { Route } from './+types/change-prices'
import { readSuggestions } from './product.ts'

const filters = ['ids', 'q', 'brand', 'category', 'stock'] as const
type Body = z.input<typeof priceChange>

export const meta = () => noindex('Change prices')

/** The address names the parts and the change; with a change, there is a preview. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const params = new URL(request.url).searchParams
  const filter = Object.fromEntries(
    filters.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])),
  ) as Partial<Record<(typeof filters)[number], string>>
  const kind = params.get('by') === 'amount' ? 'amount' : 'percent'
  const value = params.get('value')?.trim() ?? ''
  const change = { ...filter, [kind]: value } as Body
  const [{ categories }, preview] = await Promise.all([
    readSuggestions(),
    value === '' ? null : readPreview(change),
  ])
  return { filter, kind, value, change, categories, preview }
}

/** Or the error in what was typed, which is shown beside it. */
async function readPreview(change: Body): Promise<PricePreview | Error> {
  const { error } = priceChange.safeParse(change)
  if (error) return new Error(error.issues[0]!.message)
  return adminClient.previewPrices({ body: change }).catch((error) => {
    if (error instanceof ApiError && error.status === 400) return error
    throw error
  })
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ChangePrices({ loaderData }: Route.ComponentProps) {
  const { filter, kind, value, categories, preview } = loaderData
  const unit = shortCurrencyName().replace(/^./, (letter) => letter.toUpperCase())
  const loading = useNavigation().state === 'loading'
  const { key } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const isBack = useNavigationType() === 'POP'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields keep what was typed, and the preview is that of the address
  useEffect(() => {
    for (const [name, shown] of Object.entries({ by: kind, value })) {
      const field = form.current?.elements.namedItem(name)
      if (isBack && (field instanceof HTMLInputElement || field instanceof HTMLSelectElement))
        field.value = shown
    }
  }, [key])
  const list = Object.fromEntries(Object.entries(filter).filter(([name]) => name !== 'ids'))
  return (
    <>
      <Link to={`/dashboard/manageProducts?${new URLSearchParams(list)}`} className="mb-3 inline-block link">
        Back to products
      </Link>
      <h1 className="mb-5">Change prices</h1>
      <Form ref={form} key={JSON.stringify(filter)} className="mb-8 flex flex-wrap items-start gap-4">
        {filter.ids ? (
          <p className="w-full">
            <input type="hidden" name="ids" value={filter.ids} />
            {`${formatCount(filter.ids.split(',').length)} selected ${filter.ids.includes(',') ? 'parts' : 'part'}. `}
            <Link to="/dashboard/changePrices" className="link">
              Choose a category instead
            </Link>
          </p>
        ) : (
          <Filters filter={filter} categories={categories} />
        )}
        <SelectField label="Change by" name="by" defaultValue={kind} optional>
          <option value="percent">Percentage</option>
          <option value="amount">{unit}</option>
        </SelectField>
        <Field
          label="Increase (negative to decrease)"
          name="value"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={value}
          error={preview instanceof Error ? preview.message : undefined}
          hint={`Such as 5 or -2.5. ${unit} are whole.`}
        />
        <button type="submit" className="btn mt-6" aria-disabled={loading}>
          {loading ? 'Calculating…' : 'Preview'}
        </button>
      </Form>
      {preview && !(preview instanceof Error) && (
        <Preview key={key} preview={preview} change={loaderData.change} />
      )}
    </>
  )
}

interface FiltersProps {
  filter: Route.ComponentProps['loaderData']['filter']
  categories: string[]
}

function Filters({ filter: { category, q, brand, stock }, categories }: FiltersProps) {
  return (
    <>
      <SelectField label="Category" name="category" defaultValue={category} optional>
        <option value="">All categories</option>
        {/* The address may name one that no part has any more. */}
        {[...new Set([...categories, ...(category ? [category] : [])])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <Field
        label="Search"
        optional
        name="q"
        defaultValue={q}
        maxLength={maxSearchLength}
        autoComplete="off"
      />
      {brand && <input type="hidden" name="brand" value={brand} />}
      {stock && <input type="hidden" name="stock" value={stock} />}
    </>
  )
}

interface PreviewProps {
  preview: PricePreview
  change: Body
}

function Preview({ preview, change }: PreviewProps) {
  const { rows, changed, unchanged, problems, digest } = preview
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()
  const [key] = useState(() => randomId())

  async function apply() {
    if (busy) return
    setBusy(true)
    setMessage(undefined)
    const isHere = rememberPage()
    try {
      const { modifiedCount } = await adminClient.changePrices({ body: { ...change, digest }, key })
      const products = change.category ? `?${new URLSearchParams({ category: change.category })}` : ''
      if (isHere()) await navigate(`/dashboard/manageProducts${products}`)
      showToast(`${countNoun(modifiedCount, 'price')} changed`)
    } catch (error) {
      setMessage((error as Error).message)
      showError(error)
      // The preview no longer holds.
      if (!isOutage(error) && isHere())
        await navigate(pathname + search, { replace: true, preventScrollReset: true })
    } finally {
      setBusy(false)
    }
  }

  const total = changed + unchanged + problems
  if (total === 0) return <p>No parts match.</p>
  return (
    <>
      <p role="status" className="mb-2 font-medium">
        {[
          `${countNoun(changed, 'price')} will change`,
          unchanged > 0 &&
            `${formatCount(unchanged)} will stay the same after rounding to whole ${shortCurrencyName()}`,
          problems > 0 && `${formatCount(problems)} can’t be changed`,
        ]
          .filter(Boolean)
          .join(', ')}
        .
      </p>
      <p className="mb-4 text-sm text-base-content/75">
        Orders that have already been placed keep their prices.
        {rows.length < total &&
          ` The first ${formatCount(rows.length)} of ${formatCount(total)} parts are shown.`}
      </p>
      <FormError message={message} />
      {changed > 0 && (
        <button type="button" className="btn mb-6 btn-primary" aria-disabled={busy} onClick={apply}>
          {busy ? 'Changing prices…' : `Change ${countNoun(changed, 'price')}`}
        </button>
      )}
      <Table
        columns={rows.some(hasBreaks) ? [...columns, { head: 'Price breaks' }] : columns}
        rows={rows.map((row) => ({ key: row._id, name: row.name, cells: cells(row) }))}
      />
    </>
  )
}

const countNoun = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

const columns: Column[] = [
  { head: 'Part' },
  { head: 'Price now', kind: 'number' },
  { head: 'New price', kind: 'number' },
]

const hasBreaks = ({ before }: PriceChangeRow) => before.priceBreaks.length > 0

function cells({ name, partNumber, before, after, exact, problem }: PriceChangeRow) {
  const isRounded = exact !== after.perUnitPrice && !problem
  return [
    <div key="part">
      <p>{name}</p>
      <p className="text-sm text-base-content/75">{partNumber}</p>
      {problem && <p className="text-sm font-medium text-error">{problem}</p>}
    </div>,
    formatDollars(before.perUnitPrice),
    <div key="new">
      <p className={after.perUnitPrice === before.perUnitPrice ? '' : 'font-semibold'}>
        {formatDollars(after.perUnitPrice)}
      </p>
      {isRounded && <p className="text-sm text-base-content/75">{`rounded from ${formatDollars(exact)}`}</p>}
    </div>,
    <ul key="breaks" className="text-sm">
      {before.priceBreaks.map(({ quantity, unitPrice }, i) => (
        <li key={quantity}>
          {`from ${formatCount(quantity)}: ${formatDollars(unitPrice)} → ${formatDollars(after.priceBreaks[i]!.unitPrice)}`}
        </li>
      ))}
    </ul>,
  ]
}
