import { typeInto } from './typed-fields.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** Phones fill in fields without an event. They count when the user goes on to another field, and at the latest with the form. */
export function noticeFilledFields() {
  const known = new WeakMap<Field, string>()
  const remember = ({ target }: Event) => {
    if (isTextField(target)) known.set(target, target.value)
  }
  for (const event of ['input', 'change']) document.addEventListener(event, remember, true)

  /** React drops the event of a value that it knows. */
  const report = (field: Field) => field.dispatchEvent(new Event('input', { bubbles: true }))
  const noticeLeft = ({ target }: Event) => {
    if (isTextField(target) && (known.get(target) ?? '') !== target.value) report(target)
  }
  document.addEventListener('focusout', noticeLeft, true)

  const noticeForm = ({ target }: Event) => {
    const form = target instanceof Element && target.closest('form')
    const isMeant = target instanceof HTMLFormElement || (target as Element).closest?.('[type=submit]')
    if (!form || !isMeant) return
    for (const field of form.querySelectorAll<Field>('input, textarea'))
      if (isTextField(field) && field.value !== '' && known.get(field) !== field.value) retype(field)
  }
  for (const event of ['pointerdown', 'submit']) document.addEventListener(event, noticeForm, true)
}

/** Also a value that a script has set, which React believes to know. */
function retype(field: Field) {
  const { value } = field
  field.value = ''
  typeInto(field, value)
}

function isTextField(target: unknown): target is Field {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  return (
    target instanceof HTMLInputElement &&
    !target.readOnly &&
    !/^(hidden|file|checkbox|radio)$/.test(target.type)
  )
}
