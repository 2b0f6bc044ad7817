export const maxCompared = 4

/** `add` is a part to compare with the others. */
export function readCompared(params: URLSearchParams): { ids: string[]; add: string | null } {
  const given = (params.get('parts') ?? '').slice(0, 400).split(',').filter(Boolean)
  const ids = [...new Set(given.map((id) => id.slice(0, 64).replaceAll('\0', '')))].slice(0, maxCompared)
  const add = (params.get('add') ?? '').slice(0, 64).replaceAll('\0', '')
  return { ids, add: add && !ids.includes(add) ? add : null }
}

export function compareUrl(ids: string[], add?: string | null): string {
  const query = [
    ids.length > 0 && `parts=${ids.map(encodeURIComponent).join(',')}`,
    add && `add=${encodeURIComponent(add)}`,
  ]
  const text = query.filter(Boolean).join('&')
  return text ? `/compare?${text}` : '/compare'
}

interface ComparedRow {
  name: string
  /** Of each part; null where nothing is said. */
  values: (string | null)[]
  differs: boolean
}

/** In the order of the first part; what only others say stands before what follows it there. */
export function compareTexts(texts: [name: string, value: string][][]): ComparedRow[] {
  const names: string[] = []
  for (const ofPart of texts)
    for (const [i, [name]] of ofPart.entries()) {
      if (names.includes(name)) continue
      const next = ofPart.slice(i).find(([later]) => names.includes(later))
      names.splice(next ? names.indexOf(next[0]) : names.length, 0, name)
    }
  const maps = texts.map((ofPart) => new Map(ofPart))
  return names.map((name) => {
    const values = maps.map((map) => map.get(name) ?? null)
    return { name, values, differs: new Set(values).size > 1 }
  })
}
