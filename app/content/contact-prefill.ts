import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import { readDraft, takeVisitorDraft } from '#app/drafts.ts'
import type { MessageForm } from '#shop/messages/message.ts'

/** In the state of a link to the contact form. */
export interface ContactState {
  contact: Pick<MessageForm, 'phone' | 'message'>
}

export function isField(element: unknown): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

/**
 * Fills in the draft, who is signed in, and what the link to the form passes on, but not over what was typed. Empties the form when a
 * session ends: when the same user signs in again, the draft is back.
 */
export function useContactPrefill(form: RefObject<HTMLFormElement | null>, draft: string) {
  const session = useSession()
  const state = useLocation().state as Partial<ContactState> | null
  const contact = state?.contact
  const owner = useRef<string>(undefined)
  useEffect(() => {
    if (owner.current && owner.current !== session?.email) form.current?.reset()
    owner.current = session?.email
    takeVisitorDraft(draft)
    const known = { name: session?.name, email: session?.email, phone: contact?.phone }
    for (const [name, value] of [...Object.entries(readDraft(draft) ?? {}), ...Object.entries(known)]) {
      const field = form.current?.elements.namedItem(name)
      if (isField(field) && field.value === '') field.value = value ?? ''
    }
    const message = form.current?.elements.namedItem('message')
    if (!contact || !(message instanceof HTMLTextAreaElement)) return
    if (!message.value.includes(contact.message)) message.value = `${contact.message}${message.value}`
  }, [form, draft, session, contact])
}
