/**
 * The words of what somebody typed, cut as plain_words() cuts those of parts (db/migrations/0003_search.sql): whatever is
 * not a letter or a digit divides them, and so does a measure: `12x148mm` reads `12 x 148 mm`.
 */
export function tokenize(typed: string): string[] {
  const plain = typed
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

/** A word as it was typed, and as it is spelt on the other side of the Atlantic. */
export function spellingVariants(word: string): string[] {
  const lower = word.toLowerCase()
  const others = spellings
    .flatMap(([american, british]) => [[american, british] as const, [british, american] as const])
    .filter(([one]) => lower.startsWith(one))
    .map(([one, other]) => other + lower.slice(one.length))
  return [word, ...others]
}

/** Whether a slip in this word can be told from another word: it is not a size, and neither very short nor endless. */
export function allowsTypo(word: string): boolean {
  return /^\p{L}{4,30}$/u.test(word)
}

/**
 * Patterns for `like` that find the words of which this one is the beginning, but for one slip: a letter too many, a wrong
 * one, one left out, or two swapped.
 */
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
  // Three letters begin too many words.
  return [...new Set(patterns)].map((pattern) => (pattern.length > 3 ? `${pattern}%` : pattern))
}
