import { lexemeQuery, type TsQuery } from './ts-query.ts'

export interface PartNumbers {
  /** Texts that can be numbers, as `numberKey` has them. */
  keys: string[]
  wholes: TsQuery[]
  /** Without the letters before the first sign. */
  endings: TsQuery[]
  beginnings: TsQuery[]
}

/** Shorter beginnings would precede what the words of the query find. */
const minBeginning = 3

const maxLength = 40

/** As weigh_part_words() has them. Beside other words, only what has a digit is a number: a chain is no part number. */
export function parsePartNumbers(folded: string): PartNumbers {
  const all = toKey(folded)
  const chunks = folded.trim().split(/\s+/)
  const keys = chunks.length > 1 ? chunks.map(toKey).filter((key) => /^(?=.*\d).{4,}$/.test(key)) : []
  const unique = [...new Set([all, ...keys])].filter(Boolean)
  return {
    keys: unique,
    wholes: unique.map((key) => lexemeQuery(`#${key}`)),
    endings: unique.filter((key) => /[A-Z]/.test(key) && /\d/.test(key)).map((key) => lexemeQuery(`~${key}`)),
    beginnings: all.length < minBeginning ? [] : [lexemeQuery(`#${all}`, '*')],
  }
}

/** Also finds what replaces the parts with these numbers. */
export function addReplacing(numbers: PartNumbers, byNumbers: string[]): PartNumbers {
  return { ...numbers, wholes: [...numbers.wholes, ...byNumbers.map((key) => lexemeQuery(`#${key}`))] }
}

/** Empty for what has other letters. */
function toKey(folded: string) {
  const key = folded.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return /^[A-Z0-9]+$/.test(key) && key.length <= maxLength ? key : ''
}
