import { type SubmitEvent, useRef, useState } from 'react'
import { loadScript } from '#app/browser/failed-imports.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, updateDraft } from '#app/drafts.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Fields } from '#shop/errors.ts'
import { isField, useContactPrefill } from './contact-prefill.ts'

const draft = 'message'

/** Loaded on focus, which keeps the home page light. */
async function loadModules() {
  const [{ client }, { messageForm }] = await Promise.all([
    import('#app/client.ts'),
    import('#shop/messages/message.ts'),
  ])
  return { client, messageForm }
}

function formValues(form: HTMLFormElement) {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name) ?? '')
  return { name: text('name'), email: text('email'), phone: text('phone'), message: text('message') }
}

export function ContactForm() {
  const hydrated = useHydrated()
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<Fields>({})
  const [failure, setFailure] = useState<string>()
  const ref = useRef<HTMLFormElement>(null)
  useContactPrefill(ref, draft)

  async function validate({ name, value }: { name: string; value: string }) {
    const { messageForm } = await loadModules()
    const rule = messageForm.shape[name as keyof typeof messageForm.shape]
    const message = rule?.safeParse(value).error?.issues[0]?.message
    setErrors(({ [name]: _, ...others }) => (message ? { ...others, [name]: [message] } : others))
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending) return
    const form = event.currentTarget
    const body = formValues(form)
    setSending(true)
    setErrors({})
    setFailure(undefined)
    try {
      const { client } = await loadScript(loadModules)
      await client.sendMessage({ body, key: idempotencyKeyFor(draft, body) })
      const isAsSent = JSON.stringify(formValues(form)) === JSON.stringify(body)
      // What was typed meanwhile stays.
      if (isAsSent) {
        clearDraft(draft)
        form.reset()
      } else forgetSent(draft)
      showToast('Message sent. We’ll reply by email.')
    } catch (error) {
      const { fields = {}, message } = error as Error & { fields?: Fields }
      const [first] = Object.keys(fields)
      setErrors(fields)
      setFailure(first ? undefined : message)
      if (first) form.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    } finally {
      setSending(false)
    }
  }

  return (
    <form
      ref={ref}
      method="post"
      noValidate
      onSubmit={send}
      onFocus={() => loadModules().catch(() => {})}
      onBlur={({ target }) => isField(target) && target.value !== '' && validate(target).catch(() => {})}
      onInput={({ currentTarget, target }) => {
        updateDraft(draft, formValues(currentTarget))
        if (isField(target) && errors[target.name]) validate(target).catch(() => {})
      }}
    >
      <div className="grid gap-x-5 sm:grid-cols-2">
        <Field label="Your Name" name="name" autoComplete="name" error={errors.name?.[0]} />
        <Field label="Your Email" name="email" type="email" autoComplete="email" error={errors.email?.[0]} />
      </div>
      <Field label="Your Phone" name="phone" type="tel" autoComplete="tel" error={errors.phone?.[0]} />
      <TextField label="Your Message" name="message" rows={5} error={errors.message?.[0]} />
      <FormError message={failure} />
      <SubmitButton className="" disabled={!hydrated} busy={sending}>
        Send Message
      </SubmitButton>
      <noscript>
        <p className="mt-3">This form needs JavaScript. Email or call us instead.</p>
      </noscript>
    </form>
  )
}
