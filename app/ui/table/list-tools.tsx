import { Link, useLocation } from 'react-router'
import { type ListQuery, listUrl } from '#app/query-url.ts'
import { useNextQuery } from '#app/ui/behaviour/next-query.ts'
import { useSearchForm } from '#app/ui/behaviour/search-form.ts'
import { SearchField } from '#app/ui/search-field.tsx'
import type { Column } from './table.tsx'

interface Option {
  value: string
  label: string
}

interface Filter<Choice = Option> {
  name: string
  label: string
  options: Choice[]
}

export interface ListToolsProps {
  list: { query: ListQuery }
  columns: readonly Column[]
  noun: readonly [one: string, many: string]
  /** `Search` and the noun unless given. */
  searchLabel?: string
  searchPlaceholder: string
  filters?: Filter[]
  /** Filters that are on or off, with their value in the URL. */
  toggles?: { name: string; value: string; label: string }[]
  /** A filter as links with the number of rows of each choice. */
  tabs?: Filter<Option & { count: string }>
  /** The order without a `sort` in the URL. */
  defaultSort?: { label: string; opposite?: Option }
}

export function ListTools({ list: { query }, tabs, filters = [], toggles = [], ...props }: ListToolsProps) {
  const { columns, noun, searchLabel = `Search ${noun[1]}`, searchPlaceholder, defaultSort } = props
  const path = useLocation().pathname
  const next = useNextQuery(query)
  const sorts = listSorts(columns, query, defaultSort)
  const form = useSearchForm(listUrl(path, { ...query, page: 1 }), (params) =>
    // A box that isn’t checked is not among them.
    listUrl(path, {
      ...next,
      page: 1,
      ...Object.fromEntries([...toggles.map(({ name }) => [name, '']), ...params]),
    }),
  )
  return (
    <>
      {tabs && <Tabs {...tabs} query={query} />}
      <search>
        <form className="mb-4 flex flex-wrap gap-2 md:gap-3" {...form}>
          <SearchField
            className="min-w-0 grow basis-60 md:max-w-md"
            label={searchLabel}
            placeholder={searchPlaceholder}
            defaultValue={query.q}
          />
          {toggles.map(({ name, value, label }) => (
            <label
              key={name}
              className="flex h-10 grow cursor-pointer items-center gap-2 rounded-field border border-base-content/60 px-3 text-sm whitespace-nowrap has-checked:border-primary has-checked:font-semibold md:grow-0"
            >
              <input
                type="checkbox"
                className="checkbox checkbox-xs"
                name={name}
                value={value}
                defaultChecked={query[name] === value}
              />
              {label}
            </label>
          ))}
          {filters.map(({ name, label, options }) => (
            <Select
              key={name}
              name={name}
              label={label}
              options={options}
              value={query[name] ?? options[0]?.value}
            />
          ))}
          {/* Column headers that sort are hidden on phones. */}
          <Select
            name="sort"
            label="Sort by"
            className={sorts.length > 1 && !columns.some(({ sort }) => sort) ? 'md:grow-0' : 'md:hidden'}
            options={sorts}
            value={query.sort}
          />
        </form>
      </search>
    </>
  )
}

function Tabs({ name, label, options, query }: NonNullable<ListToolsProps['tabs']> & { query: ListQuery }) {
  const path = useLocation().pathname
  const current = String(query[name] ?? '')
  const next = useNextQuery(query)
  return (
    <nav aria-label={label} className="tabs mb-5 overflow-x-auto border-b border-base-300">
      <ul className="flex gap-5">
        {options.map(({ value, label, count }) => (
          <li key={value}>
            <Link
              to={listUrl(path, { ...next, page: 1, sort: '', [name]: value })}
              aria-current={value === current ? 'page' : undefined}
              preventScrollReset
              className="block border-b-2 border-transparent px-1 py-2 whitespace-nowrap hover:border-base-content/40 aria-[current=page]:border-primary aria-[current=page]:font-semibold"
            >
              {label} <span className="text-sm text-base-content/75">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface SelectProps extends Filter {
  value: string | number | undefined
  className?: string
}

function Select({ name, label, options, value, className = 'md:grow-0' }: SelectProps) {
  // The address may name what there is no option for any more.
  const isMissing = value !== undefined && !options.some((option) => String(option.value) === String(value))
  return (
    <select name={name} defaultValue={value} aria-label={label} className={`select w-auto grow ${className}`}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {isMissing && <option value={value}>{value}</option>}
    </select>
  )
}

const directions = {
  text: ['A–Z', 'Z–A'],
  number: ['low to high', 'high to low'],
  date: ['oldest first', 'newest first'],
} as const

const newestFirst: NonNullable<ListToolsProps['defaultSort']> = { label: 'Newest first' }

function listSorts(
  columns: readonly Column[],
  { sort = '' }: ListQuery,
  { label, opposite } = newestFirst,
): Option[] {
  const sorts = columns.flatMap(({ head, kind = 'text', sort, sortName = head }) => {
    const [up, down] = directions[kind].map((direction) =>
      kind === 'text' ? `${sortName} ${direction}` : `${sortName}: ${direction}`,
    )
    return sort
      ? [
          { value: sort, label: up! },
          { value: `-${sort}`, label: down! },
        ]
      : []
  })
  const all = [{ value: '', label }, ...(opposite ? [opposite] : []), ...sorts]
  // The URL may name an order that no column offers.
  return all.some(({ value }) => value === sort) ? all : [...all, { value: String(sort), label: 'Other' }]
}
