/** Brands of other makers, which look like misspelled words of our parts. Where one is sold, it is found before any correction. */
const otherBrands: ReadonlySet<string> = new Set(
  `campagnolo cane chromag continental deore force look magura mavic maxxis michelin park pirelli rockshox schwalbe selle shimano
  sram stans time trek vittoria zipp`.split(/\s+/),
)

/** False for sizes, other makers' brands, and words too short or too long to correct. */
export function allowsTypo(word: string): boolean {
  return /^\p{L}{4,30}$/u.test(word) && !otherBrands.has(word)
}

/** `like` patterns for prefixes with one letter inserted, replaced, omitted or swapped; for whole words if the word is short. */
export function typoPatterns(word: string): string[] {
  const letters = [...word]
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
  const isShort = letters.length < 5
  // Else `sram` would match `bramble`.
  return isShort
    ? [...new Set(patterns)].filter((pattern) => pattern[0] === letters[0]).flatMap((p) => [p, `${p}s`])
    : [...new Set(patterns)].map((pattern) => `${pattern}%`)
}
