import { type FormEvent, useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'

/** How long a pause in typing is, in milliseconds. */
const pause = 180

/**
 * Makes a form above a list search as one types and chooses. Each choice is an address of its own, so the back button
 * undoes it; what is typed in one go is one address. `shown` is the address of what is listed, its page aside, and
 * `addressOf` the one that the form asks for as it is filled in. What is typed is the field `q`.
 */
export function useSearchForm(shown: string, addressOf: (typed: URLSearchParams) => string) {
  const navigate = useNavigate()
  const next = useNavigation().location
  const ref = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What the form has asked for and not got yet, the last at the end; nothing once somebody went elsewhere. */
  const asked = useRef<string[]>([])
  const began = useRef(false)

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Whoever follows a link does not wait for a search that has not begun.
    if (!next || asked.current.includes(next.pathname + next.search)) return
    clearTimeout(timer.current)
    asked.current = []
  }, [next])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address that arrives, and no more often
  useEffect(() => {
    if (!began.current) {
      began.current = true
      // What was chosen or typed before the browser had taken over the page counts.
      return show()
    }
    const ours = asked.current.length > 0
    // An answer that came too late: more has been chosen since, and the fields say so.
    if (ours && asked.current.at(-1) !== shown) return
    asked.current = []
    // After the back button the fields show what the address says, except for what is being typed.
    if (ref.current) fill(ref.current, paramsOf(shown), ours)
  }, [shown])

  function show() {
    clearTimeout(timer.current)
    if (!ref.current) return
    const to = addressOf(new URLSearchParams(new FormData(ref.current) as never))
    if (to === (asked.current.at(-1) ?? shown)) return
    const [before, now] = [paramsOf(shown).get('q'), paramsOf(to).get('q')]
    asked.current.push(to)
    navigate(to, { replace: Boolean(before && now) && before !== now, preventScrollReset: true })
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

function paramsOf(address: string) {
  return new URLSearchParams(address.split('?')[1])
}

function fill(form: HTMLFormElement, params: URLSearchParams, typing: boolean) {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) field.value = params.get(field.name) ?? ''
    if (!(field instanceof HTMLInputElement)) continue
    const values = params.has(field.name) ? params.getAll(field.name) : ['']
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = values.includes(field.value)
    if (field.name === 'q' && !typing) field.value = values[0]!
  }
}
