/** Must match plain_words() in db/migrations/0003_search.sql. Also splits measures: `12x148mm` becomes `12 x 148 mm`. */
export function tokenize(text: string): string[] {
  const plain = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(/(\d)(mm?|x)(?![a-z])/gi, '$1 $2 ')
  return [...new Set(plain.split(' ').filter(Boolean))]
}

// biome-ignore format: a table
const spellings = [
  ['tire', 'tyre'], ['color', 'colour'], ['gray', 'grey'], ['aluminum', 'aluminium'], ['fiber', 'fibre'],
  ['center', 'centre'], ['mold', 'mould'], ['anodiz', 'anodis'],
] as const

export function spellingVariants(word: string): string[] {
  const lower = word.toLowerCase()
  const others = spellings
    .flatMap(([american, british]) => [[american, british] as const, [british, american] as const])
    .filter(([one]) => lower.startsWith(one))
    .map(([one, other]) => other + lower.slice(one.length))
  return [word, ...others]
}

/** False for sizes and for words too short or too long to correct. */
export function allowsTypo(word: string): boolean {
  return /^\p{L}{4,30}$/u.test(word)
}

/** `like` patterns for prefixes with one letter inserted, replaced, omitted or swapped. */
export function typoPatterns(word: string): string[] {
  const letters = [...word.toLowerCase()]
  const patterns = letters.flatMap((letter, i) => {
    const before = letters.slice(0, i).join('')
    const [next = '', ...rest] = letters.slice(i + 1)
    const after = next + rest.join('')
    return [
      before + after,
      `${before}_${after}`,
      `${before}_${letter}${after}`,
      before + next + letter + rest.join(''),
    ]
  })
  // Shorter prefixes match too many words.
  return [...new Set(patterns)].map((pattern) => (pattern.length > 3 ? `${pattern}%` : pattern))
}
