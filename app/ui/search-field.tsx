import { Icon } from './icon.tsx'

interface Props {
  /** What it finds, as in 'Search parts'. */
  label: string
  placeholder: string
  typed: string | number | undefined
  className: string
}

/** The field `q` of a form above a list. */
export function SearchField({ label, placeholder, typed, className }: Props) {
  return (
    <label className={`input ${className}`}>
      <Icon name="search" className="size-5 text-base-content/60" />
      <input
        type="search"
        name="q"
        defaultValue={typed}
        maxLength={100}
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
      />
    </label>
  )
}
