import { readSession } from '#app/auth/session.ts'

/**
 * Going back can show a page as it was left, with what belonged to the customer of that time. It is left invisible, and shown again only
 * to the same person.
 */
export function guardRestoredPages() {
  let owner: string | undefined
  const root = document.documentElement
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) return
    owner = readSession()?.email
    root.dataset.left = ''
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (readSession()?.email === owner) delete root.dataset.left
    else location.reload()
  })
}
