import { type RefObject, useEffect, useSyncExternalStore } from 'react'
import { localItems } from '#app/browser/storage.ts'

const setting = 'list-shortcuts'
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isOn = () => localItems.read(setting) !== 'off'

/** One key each, so they can be turned off: speech input types keys, too. */
export function ListKeys({ list }: { list: RefObject<HTMLElement | null> }) {
  const on = useSyncExternalStore(subscribe, isOn, () => true)
  useEffect(() => {
    if (!on) return
    const handle = (event: KeyboardEvent) => list.current && handleKey(event, list.current)
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [on, list])

  function toggle() {
    localItems.keep(setting, on ? 'off' : 'on')
    for (const listener of listeners) listener()
  }

  return (
    <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-base-content/75 max-lg:hidden print:hidden">
      {on
        ? keys.map(([key, does]) => (
            <span key={key} className="whitespace-nowrap">
              <kbd className="kbd kbd-sm">{key}</kbd> {does}
            </span>
          ))
        : 'Keyboard shortcuts are off.'}
      <button type="button" className="link" onClick={toggle}>
        {on ? 'Turn shortcuts off' : 'Turn shortcuts on'}
      </button>
    </p>
  )
}

const keys = [
  ['/', 'search'],
  ['j', 'next row'],
  ['k', 'previous row'],
  ['x', 'select row'],
  ['a', 'actions for selected rows'],
  ['Enter', 'open row'],
] as const

function handleKey(event: KeyboardEvent, list: HTMLElement) {
  const target = event.target as Element
  const isTyping = target.closest('input:not([type=checkbox]), textarea, select, dialog, [contenteditable]')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...list.querySelectorAll<HTMLElement>('tbody tr[tabindex]')]
  const current = rows.findIndex((row) => (row.matches('.head') ? row.parentElement! : row).contains(target))
  const focus = (row: HTMLElement | undefined) => {
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }
  const actions: Record<string, () => void> = {
    '/': () => list.querySelector<HTMLElement>('input[type=search]')?.focus(),
    j: () => focus(rows[current + 1] ?? rows.at(-1)),
    k: () => focus(rows[Math.max(0, current - 1)]),
    // Below the rows, which would all have to be passed with Tab.
    a: () => list.querySelector<HTMLElement>('[aria-label=Selection] .btn')?.focus(),
    x: () => rows[current]?.querySelector<HTMLElement>('input[type=checkbox]')?.click(),
  }
  // On a link or a button, Enter does what it does everywhere.
  if (rows[current] === target) actions.Enter = () => rows[current]?.querySelector('a')?.click()
  const action = actions[event.key]
  if (!action) return
  event.preventDefault()
  action()
}
