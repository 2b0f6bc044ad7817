import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatCount } from '#shop/money.ts'
import type { FoundSuggestions } from '#shop/search/suggestions.ts'

/** Typing pauses before it is asked. */
const pauseMs = 150

interface Option {
  to: string
  text: string
  detail: string
}

/** Below a field with the role combobox, while something is typed into it. Loaded when it is first focused. */
export function Suggestions({ input }: { input: HTMLInputElement }) {
  const id = useId()
  const navigate = useNavigate()
  const [options, setOptions] = useState<Option[]>([])
  const [active, setActive] = useState(-1)
  const isOpen = options.length > 0

  function close() {
    setOptions([])
    setActive(-1)
  }

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let turn = 0

    function ask() {
      clearTimeout(timer)
      turn += 1
      timer = setTimeout(() => show(turn), pauseMs)
    }

    async function show(asked: number) {
      // Without them, the search still works.
      const found = await findOptions(input.value.trim()).catch(() => [])
      if (asked !== turn || document.activeElement !== input) return
      setOptions(found)
      setActive(-1)
    }

    function leave() {
      clearTimeout(timer)
      turn += 1
      setOptions([])
      setActive(-1)
    }

    if (document.activeElement === input && input.value !== input.defaultValue) ask()
    const { form } = input
    input.addEventListener('input', ask)
    input.addEventListener('blur', leave)
    form?.addEventListener('submit', leave)
    return () => {
      leave()
      input.removeEventListener('input', ask)
      input.removeEventListener('blur', leave)
      form?.removeEventListener('submit', leave)
    }
  }, [input])

  useEffect(() => {
    function press(event: KeyboardEvent | globalThis.KeyboardEvent) {
      if (!isOpen) return
      const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
      const step = steps[event.key]
      if (step) setActive((before) => ((before + 1 + step + options.length + 1) % (options.length + 1)) - 1)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && active >= 0) open(options[active]!)
      else return
      event.preventDefault()
    }

    function open({ to }: Option) {
      close()
      input.blur()
      navigate(to)
    }

    input.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) input.setAttribute('aria-controls', id)
    else input.removeAttribute('aria-controls')
    if (active >= 0) input.setAttribute('aria-activedescendant', `${id}-${active}`)
    else input.removeAttribute('aria-activedescendant')
    input.addEventListener('keydown', press)
    return () => input.removeEventListener('keydown', press)
  })

  return (
    <>
      <span aria-live="polite" className="sr-only">
        {isOpen &&
          `${formatCount(options.length)} ${options.length === 1 ? 'suggestion' : 'suggestions'}. Choose one with the arrow keys.`}
      </span>
      {isOpen && (
        <div
          id={id}
          role="listbox"
          aria-label="Suggestions"
          className="absolute top-full right-0 z-30 mt-1 w-full border text-base whitespace-normal xl:w-96 border-base-300 bg-base-100 text-base-content shadow-lg"
        >
          {options.map(({ to, text, detail }, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, as the pattern for comboboxes says
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field
            <div
              key={to}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === active}
              className="flex cursor-pointer flex-wrap justify-between gap-x-4 px-4 py-2.5 hover:bg-base-200 aria-selected:bg-base-200 aria-selected:outline-2"
              // The field keeps the focus until the choice is made.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => {
                close()
                input.blur()
                navigate(to)
              }}
            >
              <span className="wrap-anywhere">{text}</span>
              <span className="text-sm text-base-content/75">{detail}</span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}

async function findOptions(q: string): Promise<Option[]> {
  if (q.length < 2) return []
  const response = await fetch(`/api/search-suggestions?${new URLSearchParams({ q })}`)
  if (!response.ok) return []
  const { parts, categories } = (await response.json()) as FoundSuggestions
  return [
    ...parts.map(({ _id, name, partNumber }) => ({ to: `/parts/${_id}`, text: name, detail: partNumber })),
    ...categories.map(({ name, count }) => ({
      to: `/parts?${new URLSearchParams({ category: name })}`,
      text: `All in ${name}`,
      detail: `${formatCount(count)} found`,
    })),
  ]
}
