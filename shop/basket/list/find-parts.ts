import type { PartSummary } from '#shop/parts/part.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import { readWrittenNumber, toPlainText } from '#shop/parts/quantity-text.ts'

/** As long as the name of a part can be. */
export const maxTextLength = 120
/** A longer text is no line of a list. */
const maxWords = 40

export type PartIndex = ReturnType<typeof indexParts<PartSummary>>
export type FoundPart = ReturnType<PartIndex['findAll']>[number]

/** `replaces`: what it takes the place of. `named`: texts that are its name as the server reads them, also without accents or in another case. */
type Found = Pick<PartSummary, '_id' | 'name' | 'partNumber'> & {
  named?: string[]
  replaces?: { partNumber: string }[]
}

/** By part number exactly, by part number without punctuation, then by name. */
export function findByText<Part extends Found>(parts: Part[], text: string): Part | undefined {
  return indexParts(parts).find(text)
}

export function indexParts<Part extends Found>(parts: Part[]) {
  const byKey = groupBy(parts, ({ partNumber, replaces = [] }) =>
    [partNumber, ...replaces.map((one) => one.partNumber)].map((number) => numberKey(toPlainText(number))),
  )
  const byName = groupBy(parts, ({ name, named = [] }) => [name, ...named].map(nameKey))
  const byWords = groupBy(parts, ({ name }) => [wordKey(name)])
  const maxRun = Math.max(3, ...parts.map(({ name }) => splitIntoWords(toPlainText(name)).length))

  function find(text: string): Part | undefined {
    const plain = toPlainText(text).trim()
    const key = numberKey(plain)
    const similar = key === '' ? [] : (byKey.get(key) ?? [])
    const exact = similar.find(({ partNumber }) => partNumber.toUpperCase() === plain.toUpperCase())
    return exact ?? findByName(plain) ?? (similar.length === 1 ? similar[0] : undefined)
  }

  function findByName(text: string) {
    const named = byName.get(nameKey(text))
    if (named) return named[0]
    const similar = byWords.get(wordKey(text)) ?? []
    return similar.length === 1 ? similar[0] : undefined
  }

  function findAll(words: string[]) {
    const found: { part: Part; text: string; from: number; to: number }[] = []
    for (let from = 0; from < words.length; ) {
      const next = findFrom(words, from)
      if (next) found.push(next)
      from = next?.to ?? from + 1
    }
    return found
  }

  /** The longest. A number at an end is no part of the number of a part, but can be a quantity. */
  function findFrom(words: string[], from: number) {
    for (let to = Math.min(words.length, from + maxRun); to > from; to--) {
      const text = words.slice(from, to).join(' ')
      const canBeNumber =
        to - from === 1 || (to - from <= 3 && !isBesides(words[from]!) && !isBesides(words[to - 1]!))
      const part = canBeNumber ? find(text) : findByName(text)
      if (part) return { part, text, from, to }
    }
  }

  return { find, findAll }
}

function groupBy<Part>(parts: Part[], listKeys: (part: Part) => string[]) {
  const groups = new Map<string, Part[]>()
  for (const part of parts)
    for (const key of new Set(listKeys(part))) groups.set(key, [...(groups.get(key) ?? []), part])
  groups.delete('')
  return groups
}

function nameKey(text: string) {
  return toPlainText(text).normalize().toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Without punctuation, but for that within numbers. */
function wordKey(text: string) {
  return nameKey(text)
    .replace(/[.,](?!\d)/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}.,]+/gu, ' ')
    .trim()
}

/** Words that people write before the number of a part. */
const fillers = /^(?:art|artikel|article|articolo|item|part|ref|sku|no|nr|number)[.:]?$/i

/** Also `WW-CN12:60` and `WW-CN12(60)` are two words; `1,200` is one. */
export function splitIntoWords(text: string): string[] {
  return text
    .split(/\s+/)
    .flatMap((word) => (readWrittenNumber(word) ? [word] : word.split(/(?<=[,;:=)\]*×])|(?=[([=*×])/)))
    .filter(Boolean)
    .slice(0, maxWords)
}

/** What a text of a list may name: itself, itself without what surrounds a quantity, and its words with digits. */
export function listTexts(text: string): string[] {
  const words = splitIntoWords(text)
  const texts = [text, ...trimmedTexts(words), ...words.filter((word) => /\d/.test(word) && /\D/.test(word))]
  return texts.map(trimPunctuation).filter((one) => one.length > 1 && one.length <= maxTextLength)
}

/** Each without one more word at an end that can belong to a quantity. */
function trimmedTexts(words: string[]) {
  const texts: string[] = []
  let [from, to] = [0, words.length]
  while (from < to && isBesides(words[from]!)) texts.push(words.slice(++from, to).join(' '))
  while (from < to && isBesides(words[to - 1]!)) texts.push(words.slice(from, --to).join(' '))
  if (from > 0) texts.push(words.slice(0, to).join(' '))
  const rest = words.slice(from, to)
  // A part number, then the name.
  if (rest.length > 1 && /\d/.test(rest[0]!)) texts.push(rest.slice(1).join(' '))
  return texts
}

export function isBesides(word: string) {
  return (
    /^[^\p{L}\p{N}]+$/u.test(word) ||
    fillers.test(word) ||
    readWrittenNumber(word) !== null ||
    readWrittenNumber(`1 ${word}`) !== null
  )
}

export function trimPunctuation(text: string) {
  return text.replace(/^[\s,;:.*•·()[\]-]+/, '').replace(/(?<![\s,;:(=*•·[-])[\s,;:(=*•·[-]+$/, '')
}
