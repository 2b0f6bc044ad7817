import { maxSearchLength } from '#shop/search/length.ts'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  placeholder: string
  defaultValue: string | number | undefined
  className: string
}

export function SearchField({ label, placeholder, defaultValue, className }: Props) {
  return (
    <label className={`input ${className}`}>
      <Icon name="search" className="size-5 text-base-content/60" />
      <input
        type="search"
        name="q"
        defaultValue={defaultValue}
        maxLength={maxSearchLength}
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
      />
    </label>
  )
}
