const names = new Intl.DisplayNames('en', { type: 'region' })

/** In English, of a code of ISO 3166-1. */
export function nameCountry(code: string) {
  return names.of(code) ?? code
}
