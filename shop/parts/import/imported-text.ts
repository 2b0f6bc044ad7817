/** Zero-width and direction characters, soft hyphens and byte order marks. */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/** With what cannot be seen taken off, and every space as one. */
export function clean(text: string) {
  return text.replace(invisible, '').replace(/\s/g, ' ').trim()
}

/** For a text that people read, whose line breaks count. */
export function foldInvisible(text: string) {
  return text
    .replaceAll('\r\n', '\n')
    .replace(invisible, '')
    .replace(/[^\S\n]/g, ' ')
}

/** `="00412"` and `'00412`, by which people keep a spreadsheet from changing a number. */
export function unwrapText(cell: string) {
  const [, quoted] = /^\s*="((?:[^"]|"")*)"\s*$/.exec(cell) ?? []
  return quoted?.replaceAll('""', '"')
}

export function unwrapNumber(cell: string) {
  return clean(cell).replace(/^'/, '').trim()
}
