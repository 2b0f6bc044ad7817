import { otherBrands, synonyms } from './synonyms.ts'

/** Matches a part with any of these, of which `words` may be prefixes. */
export interface Term {
  words: string[]
  whole?: string[]
}

export function parseTerms(q: string): Term[] {
  const tokens = searchTokens(q.replace(/[Øø⌀](?=\s*\d)/g, ' '))
  const terms: Term[] = []
  while (tokens.length > 0) {
    const synonym = synonyms.find(({ phrase }) => startsWithPhrase(tokens, phrase))
    if (synonym) terms.push(...synonym.terms.map((words) => ({ words })))
    else terms.push(termOf(tokens[0]!))
    tokens.splice(0, synonym ? synonym.phrase.split(' ').length : 1)
  }
  return terms
}

function startsWithPhrase(tokens: string[], phrase: string) {
  return phrase.split(' ').every((word, i) => tokens[i]?.toLowerCase().replace(/s$/, '') === word)
}

/** A `29er` has 29-inch wheels. */
function termOf(token: string): Term {
  const [, size] = /^(\d\d)ers?$/i.exec(token) ?? []
  return { words: spellingVariants(token), ...(size && { whole: [size] }) }
}

/** Each is searched for by itself; further ones are ignored. */
const maxTokens = 12

export function searchTokens(q: string): string[] {
  return tokenize(q).slice(0, maxTokens)
}

/** Must match plain_words() in db/functions/plain_words.sql. Also splits measures: `12x148mm` becomes `12 x 148 mm`. */
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

function spellingVariants(word: string): string[] {
  const lower = word.toLowerCase()
  const others = spellings
    .flatMap(([american, british]) => [[american, british] as const, [british, american] as const])
    .filter(([one]) => lower.startsWith(one))
    .map(([one, other]) => other + lower.slice(one.length))
  return [word, ...others]
}

/** False for sizes, other makers' brands, and words too short or too long to correct. */
export function allowsTypo(word: string): boolean {
  return /^\p{L}{4,30}$/u.test(word) && !otherBrands.has(word.toLowerCase())
}

/** `like` patterns for prefixes with one letter inserted, replaced, omitted or swapped; for whole words if the word is short. */
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
  const isShort = letters.length < 5
  // Else `sram` would match `bramble`.
  return isShort
    ? [...new Set(patterns)].filter((pattern) => pattern[0] === letters[0]).flatMap((p) => [p, `${p}s`])
    : [...new Set(patterns)].map((pattern) => `${pattern}%`)
}
