/** Without a stored choice, the system's colour scheme applies. */
export type Theme = 'day' | 'night'

export function readTheme(cookies: string | null): Theme | undefined {
  const [, theme] = /(?:^|;\s*)theme=(day|night)(?:;|$)/.exec(cookies ?? '') ?? []
  return theme as Theme | undefined
}

/** For a choice made in another tab, or before the page was restored from the back/forward cache. */
export function showTheme() {
  const { dataset } = document.documentElement
  const theme = readTheme(document.cookie)
  if (theme) dataset.theme = theme
  else delete dataset.theme
}

/** Choosing the system's own theme deletes the cookie, so that the page follows the system again. */
export function changeTheme() {
  const system: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day'
  const next: Theme = (readTheme(document.cookie) ?? system) === 'day' ? 'night' : 'day'
  const [value, seconds] = next === system ? ['', 0] : [next, 31_536_000]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https
  document.cookie = `theme=${value}; path=/; max-age=${seconds}; samesite=lax`
  showTheme()
}
