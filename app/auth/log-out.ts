/** As a visitor asks for it: what was typed goes, too. Loaded when it is needed. */
export async function logOut(): Promise<void> {
  const [{ signOut }, { clearDrafts }] = await Promise.all([import('./auth.ts'), import('#app/drafts.ts')])
  clearDrafts()
  signOut({ byUser: true })
}
