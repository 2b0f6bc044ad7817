import { type FormEvent, useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'

const debounceMs = 180

type Timer = ReturnType<typeof setTimeout> | undefined

function cancel(timer: { current: Timer }) {
  clearTimeout(timer.current)
  timer.current = undefined
}

/**
 * Searches while the user types in the field `q` or changes another one. Each choice is a history entry, and so is each
 * search term as a whole. `shown` is the URL of the current results without their page.
 */
export function useSearchForm(shown: string, urlOf: (params: URLSearchParams) => string) {
  const navigate = useNavigate()
  const next = useNavigation().location
  const ref = useRef<HTMLFormElement>(null)
  /** Set while a field is typed in. */
  const timer = useRef<Timer>(undefined)
  /** Requested URLs that are not shown yet, oldest first. */
  const pendingUrls = useRef<string[]>([])
  /** A timer's `search` belongs to an earlier render, whose `shown` may be old. */
  const latestShown = useRef(shown)
  const initialized = useRef(false)

  useEffect(() => {
    // At once: the search could start before React renders the link's navigation. A prevented default is the router's.
    const cancelOnLink = (event: MouseEvent) => {
      if (event.defaultPrevented && (event.target as Element).closest('a')) cancel(timer)
    }
    document.addEventListener('click', cancelOnLink)
    return () => {
      document.removeEventListener('click', cancelOnLink)
      cancel(timer)
    }
  }, [])
  useEffect(() => {
    // A search that led back to what is shown is over without a new URL.
    if (!next && pendingUrls.current.at(-1) === latestShown.current) pendingUrls.current = []
    // So is a link, whose values the fields show.
    const isIdle = initialized.current && !next && pendingUrls.current.length === 0
    if (isIdle && ref.current) fillForm(ref.current, readParams(latestShown.current), true)
    // Navigation elsewhere cancels a search that has not started.
    if (!next || pendingUrls.current.includes(next.pathname + next.search)) return
    cancel(timer)
    pendingUrls.current = []
    // A search made while a link's results are loading adds to that link.
    const isThisList = next.pathname === latestShown.current.split('?')[0]
    if (ref.current && isThisList) fillForm(ref.current, readParams(next.search), false)
  }, [next])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new URL
  useEffect(() => {
    latestShown.current = shown
    if (!initialized.current) {
      initialized.current = true
      // Applies what was entered before hydration.
      return search()
    }
    const isOwnNavigation = pendingUrls.current.length > 0
    // A late response: a newer search is pending, and the fields show it.
    if (isOwnNavigation && pendingUrls.current.at(-1) !== shown) return
    pendingUrls.current = []
    // After the back button, shows the values of the URL, except in a field being typed in.
    const isTyping = isOwnNavigation || timer.current !== undefined
    if (ref.current) fillForm(ref.current, readParams(shown), isTyping)
  }, [shown])

  function search() {
    cancel(timer)
    if (!ref.current) return
    const to = urlOf(new URLSearchParams(new FormData(ref.current) as never))
    if (to === (pendingUrls.current.at(-1) ?? latestShown.current)) return
    // The address may be newer than what is shown: React may still be rendering the results of the last search.
    const [before, now] = [readParams(location.href).get('q'), readParams(to).get('q')]
    pendingUrls.current.push(to)
    navigate(to, { replace: Boolean(before && now) && before !== now, preventScrollReset: true })
  }

  return {
    ref,
    // Firefox fills in what was chosen before a reload, which the address does not say.
    autoComplete: 'off',
    onChange({ target }: FormEvent<HTMLFormElement>) {
      cancel(timer)
      const typing = target instanceof HTMLInputElement && target.name === 'q'
      if (typing) timer.current = setTimeout(search, debounceMs)
      else search()
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      search()
    },
  }
}

function readParams(url: string) {
  return new URLSearchParams(url.split('?')[1])
}

function fillForm(form: HTMLFormElement, params: URLSearchParams, typing: boolean) {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) field.value = params.get(field.name) ?? ''
    if (!(field instanceof HTMLInputElement)) continue
    const values = params.has(field.name) ? params.getAll(field.name) : ['']
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = values.includes(field.value)
    if (field.name === 'q' && !typing) field.value = values[0]!
  }
}
