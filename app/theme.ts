/** The two designs. Without a choice of their own, people see the one that their system asks for. */
export type Theme = 'day' | 'night'

/** The theme that somebody chose in this browser, as its cookies say. */
export function readTheme(cookies: string | null): Theme | undefined {
  const [, theme] = /(?:^|;\s*)theme=(day|night)(?:;|$)/.exec(cookies ?? '') ?? []
  return theme as Theme | undefined
}

/** Shows the chosen theme on a page that was made before the choice: in another tab, or one that comes back. */
export function showTheme() {
  const { dataset } = document.documentElement
  const theme = readTheme(document.cookie)
  if (theme) dataset.theme = theme
  else delete dataset.theme
}

/** Shows the other theme from now on; whoever ends at what their system asks for follows the system again. */
export function changeTheme() {
  const system: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day'
  const wanted: Theme = (readTheme(document.cookie) ?? system) === 'day' ? 'night' : 'day'
  const [value, seconds] = wanted === system ? ['', 0] : [wanted, 31_536_000]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there on plain http
  document.cookie = `theme=${value}; path=/; max-age=${seconds}; samesite=lax`
  showTheme()
}
