import { clearDrafts } from '#app/drafts.ts'
import { signOutHere } from './session.ts'

/** As a visitor asks for it: what was typed goes, too. Loaded when it is needed. */
export async function logOut(): Promise<void> {
  clearDrafts()
  try {
    const { signOut } = await import('./auth.ts')
    signOut({ byUser: true })
  } catch {
    signOutHere()
  }
}
