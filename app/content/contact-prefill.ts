import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import type { MessageForm } from '#shop/messages/message.ts'

/** In the state of a link to the contact form. */
export interface ContactState {
  contact: Pick<MessageForm, 'phone' | 'message'>
}

/** Fills in who is signed in, and what the link to the form passes on, but not over what was typed. Empties the form when they sign out. */
export function useContactPrefill(form: RefObject<HTMLFormElement | null>) {
  const session = useSession()
  const state = useLocation().state as Partial<ContactState> | null
  const contact = state?.contact
  const owner = useRef<string>(undefined)
  useEffect(() => {
    if (owner.current && owner.current !== session?.email) form.current?.reset()
    owner.current = session?.email
    const values = { name: session?.name, email: session?.email, phone: contact?.phone }
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement && field.value === '') field.value = value ?? ''
    }
    const message = form.current?.elements.namedItem('message')
    if (!contact || !(message instanceof HTMLTextAreaElement)) return
    if (!message.value.includes(contact.message)) message.value = `${contact.message}${message.value}`
  }, [form, session, contact])
}
