import { type SubmitEvent, useState } from 'react'
import { unreachable } from '#api/unreachable.ts'
import type { Fields } from '#shop/errors.ts'
import { Field, TextField } from './field.tsx'
import { FormFailure } from './form-failure.tsx'
import { useHydrated } from './hydrated.ts'
import { SubmitButton } from './submit-button.tsx'
import { say } from './toast.ts'

const draft = 'message'

/** What sends the message is fetched when somebody begins to write one, so that the home page stays light. */
async function loadSender() {
  try {
    const [{ client }, drafts] = await Promise.all([import('#app/client.ts'), import('#app/drafts.ts')])
    return { client, ...drafts }
  } catch {
    throw new Error(unreachable)
  }
}

/** Sends a message to the shop, which alone checks it. */
export function ContactForm() {
  const hydrated = useHydrated()
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<Fields>({})
  const [failure, setFailure] = useState<string>()

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending) return
    const form = event.currentTarget
    const typed = new FormData(form)
    const text = (name: string) => String(typed.get(name) ?? '')
    const body = { name: text('name'), email: text('email'), phone: text('phone'), message: text('message') }
    setSending(true)
    setErrors({})
    setFailure(undefined)
    try {
      const { client, forgetDraft, keyFor } = await loadSender()
      await client.sendMessage({ body, key: keyFor(draft, body) })
      forgetDraft(draft)
      form.reset()
      say('Message Sent Successfully!')
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
    <form method="post" noValidate onSubmit={send} onFocus={() => loadSender().catch(() => {})}>
      <div className="grid gap-x-5 sm:grid-cols-2">
        <Field label="Your Name" name="name" autoComplete="name" error={errors.name?.[0]} />
        <Field label="Your Email" name="email" type="email" autoComplete="email" error={errors.email?.[0]} />
      </div>
      <Field label="Your Phone" name="phone" type="tel" autoComplete="tel" error={errors.phone?.[0]} />
      <TextField label="Your Message" name="message" rows={5} error={errors.message?.[0]} />
      <FormFailure message={failure} />
      <SubmitButton className="" disabled={!hydrated} busy={sending}>
        Send Message
      </SubmitButton>
      <noscript>
        <p className="mt-3">Without JavaScript this form cannot send: please write or call.</p>
      </noscript>
    </form>
  )
}
