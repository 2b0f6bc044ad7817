import { readSession } from '#app/auth/session.ts'
import { showError } from '#app/ui/behaviour/toast.ts'

/** Says so when another account is signed in now, in another tab. */
export function isSameAccount(email: string, button: string): boolean {
  if (readSession()?.email === email) return true
  showError(new Error(`You’re now signed in to another account. Check the form, then select ${button}.`))
  return false
}
