import { Link } from 'react-router'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { SearchField } from '#app/ui/search-field.tsx'
import { type Filters, filtersUrl, sorts } from './filters.ts'

interface Props {
  filters: Filters
  /** Of the results that are loading, otherwise `filters`. */
  next: Filters
}

export function SearchTools({ filters, next }: Props) {
  return (
    <search className="flex flex-wrap gap-3">
      <SearchField
        className="min-w-0 grow basis-64"
        label="Search parts"
        placeholder="Chain, rotor, 42T"
        defaultValue={filters.q}
      />
      <button type="submit" className="btn btn-primary">
        Search
      </button>
      <select
        name="sort"
        aria-label="Sort by"
        className="select w-auto grow sm:grow-0"
        defaultValue={filters.sort}
      >
        {sorts.map(({ value, label }) => (
          <option key={value} value={value}>
            {value === '' && filters.q ? 'Best match' : label}
          </option>
        ))}
      </select>
      <ViewSwitch filters={filters} next={next} />
    </search>
  )
}

function ViewSwitch({ filters, next }: Props) {
  const views: { view: Filters['view']; icon: IconName; label: string }[] = [
    { view: 'grid', icon: 'grid', label: 'Grid' },
    { view: 'list', icon: 'list', label: 'List' },
  ]
  return (
    <div className="flex border border-base-content/55">
      {views.map(({ view, icon, label }) => (
        <Link
          key={view}
          to={filtersUrl({ ...next, view })}
          replace
          preventScrollReset
          aria-label={label}
          aria-current={filters.view === view}
          className="grid w-10 place-items-center aria-current:bg-base-content aria-current:text-base-100 aria-[current=false]:bg-transparent aria-[current=false]:text-base-content"
        >
          <Icon name={icon} />
        </Link>
      ))}
    </div>
  )
}
