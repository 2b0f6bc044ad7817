import { sessionItems } from './storage.ts'

type Field = HTMLInputElement | HTMLTextAreaElement
interface Typed {
  path: string
  values: Record<string, string>
}

/** Storage key. */
const typedFields = 'typed-fields'

/** Texts by the names of their fields; neither passwords nor cards, which no browser storage may hold. */
function readTyped(): Typed {
  const values: Record<string, string> = {}
  for (const field of listFields()) if (field.value !== '') values[nameField(field)] ??= field.value
  return { path: location.pathname, values }
}

function listFields(): Field[] {
  const fields = document.querySelectorAll<Field>('input, textarea')
  return [...fields].filter(
    (field) =>
      nameField(field) !== '' &&
      !field.readOnly &&
      !field.autocomplete.startsWith('cc-') &&
      !/^(password|hidden|file|checkbox|radio)$/.test(field.type),
  )
}

function nameField(field: Field) {
  return field.name || (field.getAttribute('aria-label') ?? '')
}

export function storeTyped() {
  sessionItems.keep(typedFields, JSON.stringify(readTyped()))
}

/** After a reload of ours. */
export function restoreStored() {
  const stored = sessionItems.read(typedFields)
  sessionItems.remove(typedFields)
  if (stored) restoreTyped(JSON.parse(stored))
}

/** A page whose HTML was changed on its way is rendered anew, with empty fields. Returns how to fill them in again. */
export function rememberTyped(): () => void {
  const typed = readTyped()
  const remember = ({ target }: Event) => {
    const field = listFields().find((field) => field === target)
    if (field) typed.values[nameField(field)] = field.value
  }
  document.addEventListener('input', remember, true)
  setTimeout(() => document.removeEventListener('input', remember, true), 60_000)
  return () => restoreTyped(typed)
}

/** Fields may appear later, with what their page loads. What the user types meanwhile stays. */
function restoreTyped({ path, values }: Typed) {
  const left = new Map(Object.entries(values))
  const fill = () => {
    if (location.pathname !== path || left.size === 0) return stop()
    for (const field of listFields()) {
      const value = left.get(nameField(field))
      if (value === undefined || !isHydrated(field)) continue
      left.delete(nameField(field))
      if (field.value !== value) typeInto(field, value)
    }
  }
  const observer = new MutationObserver(fill)
  const timer = setTimeout(stop, 30_000)
  function stop() {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document, { childList: true, subtree: true, attributes: true })
  fill()
}

/** React marks the elements that it handles. */
function isHydrated(field: Field) {
  return Object.keys(field).some((key) => key.startsWith('__reactProps'))
}

/** As the user does: React ignores an event when the value was set through the element itself. */
export function typeInto(field: Field, value: string) {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')!.set!.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
