import { type FormEvent, useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { addressOf, type Filters, readFilters } from '#app/filters.ts'

/** How long a pause in typing is, in milliseconds. */
const pause = 180

/**
 * Makes the filters' form search as one types and chooses. Each choice is an address of its own, so the back button
 * undoes it; what is typed in one go is one address.
 */
export function useFilterForm(filters: Filters) {
  const navigate = useNavigate()
  const next = useNavigation().location
  const ref = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The address that the form asked for last; undefined when somebody went elsewhere since. */
  const asked = useRef<string>(undefined)
  const began = useRef(false)

  useEffect(() => {
    // Whoever follows a link does not wait for a search that has not begun.
    if (next && next.pathname + next.search !== asked.current) {
      clearTimeout(timer.current)
      asked.current = undefined
    }
  }, [next])
  useEffect(() => () => clearTimeout(timer.current), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address that arrives, and no more often
  useEffect(() => {
    if (!began.current) {
      began.current = true
      // What was chosen or typed before the browser had taken over the page counts.
      return show()
    }
    // After the back button the fields show what the address says, except for what is being typed.
    for (const field of ref.current?.elements ?? []) {
      if (field instanceof HTMLSelectElement) field.value = filters.sort
      if (!(field instanceof HTMLInputElement)) continue
      if (field.name === 'q' && asked.current === undefined) field.value = filters.q
      if (field.type === 'checkbox' || field.type === 'radio') field.checked = isChosen(filters, field)
    }
    asked.current = undefined
  }, [filters])

  function show() {
    clearTimeout(timer.current)
    if (!ref.current) return
    const typed = readFilters(new URLSearchParams(new FormData(ref.current) as never))
    const to = addressOf(typed)
    if (to === (asked.current ?? addressOf({ ...filters, page: 1 }))) return
    const typing = typed.q !== filters.q && typed.q !== '' && filters.q !== ''
    asked.current = to
    navigate(to, { replace: typing, preventScrollReset: true })
  }

  return {
    ref,
    onChange({ target }: FormEvent<HTMLFormElement>) {
      clearTimeout(timer.current)
      const typing = target instanceof HTMLInputElement && target.name === 'q'
      if (typing) timer.current = setTimeout(show, pause)
      else show()
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      show()
    },
  }
}

function isChosen(filters: Filters, { name, value }: HTMLInputElement) {
  if (name === 'available') return filters.available
  if (name === 'price') return filters.price === value
  return (name === 'brand' || name === 'category') && filters[name].includes(value)
}
