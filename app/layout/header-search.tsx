import type { ToggleEvent } from 'react'
import { Form, useLocation } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { SearchField } from '#app/ui/search-field.tsx'

/** Opened by a button where the menu has no room for the field. The catalogue has its own. */
export function HeaderSearch() {
  if (useLocation().pathname === '/parts') return null
  return (
    <>
      <button
        type="button"
        popoverTarget="header-search"
        className="header-icon btn btn-square btn-ghost btn-sm xl:hidden"
        aria-label="Search parts"
        title="Search parts"
      >
        <Icon name="search" />
      </button>
      <search id="header-search" popover="auto" className="header-search" onToggle={focusField}>
        <Form action="/parts" className="flex gap-2">
          <SearchField
            className="w-full xl:input-sm xl:w-48"
            label="Search parts"
            placeholder="Search parts"
            defaultValue=""
            suggests
          />
          <button type="submit" className="btn btn-primary xl:sr-only">
            Search
          </button>
        </Form>
      </search>
    </>
  )
}

function focusField({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
  if (newState === 'open') currentTarget.querySelector('input')?.focus()
}
