import { type ComponentType, type FocusEvent, useState } from 'react'
import { maxSearchLength } from '#shop/search/length.ts'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  placeholder: string
  defaultValue: string | number | undefined
  className: string
  /** Lists parts and categories while something is typed. */
  suggests?: boolean
}

interface SuggestionList {
  Suggestions: ComponentType<{ input: HTMLInputElement }>
  input: HTMLInputElement
}

export function SearchField({ label, placeholder, defaultValue, className, suggests = false }: Props) {
  const [list, setList] = useState<SuggestionList>()

  function load({ currentTarget: input }: FocusEvent<HTMLInputElement>) {
    // Without them, the search still works.
    if (suggests && !list)
      import('./suggestions.tsx').then(
        ({ Suggestions }) => setList({ Suggestions, input }),
        () => {},
      )
  }

  return (
    <label className={`input ${className} ${suggests ? 'relative' : ''}`}>
      <Icon name="search" className="size-5 text-base-content/60" />
      <input
        {...(suggests
          ? { role: 'combobox', enterKeyHint: 'search', 'aria-expanded': false, 'aria-autocomplete': 'list' }
          : { type: 'search' })}
        name="q"
        defaultValue={defaultValue}
        maxLength={maxSearchLength}
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
        onFocus={load}
      />
      {list && <list.Suggestions input={list.input} />}
    </label>
  )
}
