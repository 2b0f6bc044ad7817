import type { PartSummary } from '#shop/parts/part.ts'
import { readWrittenNumber, type WrittenNumber } from '#shop/parts/quantity-text.ts'
import { isAroundLists } from './column-names.ts'
import { type FoundPart, isBesides, type PartIndex, splitIntoWords, trimPunctuation } from './find-parts.ts'

/** A line of words: what it names, and the numbers that are neither in the name nor a price. */
export interface WordLine {
  part: PartSummary | undefined
  /** The part as it was typed, or the whole line. */
  text: string
  numbers: WrittenNumber[]
  /** What stands besides the part in place of a number. */
  typed: string
  /** Its first number stands before the part. */
  startsWithNumber: boolean
}

const bullet = /^(?:[-*•·–+✓☐]|\[ ?x?\])\s+/
const numbering = /^\(?\d{1,4}[.)]\s+/

/** More than one when a line has several parts, each with its quantity; none when it is a remark. */
export function readWordLine(text: string, index: PartIndex): WordLine[] {
  const line = text.replace(bullet, '').replace(numbering, '').trim()
  const words = splitIntoWords(line)
  const found = index.findAll(words)
  const ids = new Set(found.map(({ part }) => part._id))
  if (ids.size > 1) return splitParts(words, found) ?? [unclear(line)]
  const [first] = found
  if (!first) return isRemark(line, words) ? [] : [readUnknown(line, words)]
  const numbers = findNumbers(words, found)
  return [
    {
      part: first.part,
      text: trimPunctuation(first.text),
      numbers: numbers.map(({ number }) => number),
      typed: findTyped(words, found),
      startsWithNumber: numbers[0] !== undefined && numbers[0].at < first.from,
    },
  ]
}

/** `6O` or `sixty`, but not the words of another name. */
function findTyped(words: string[], found: FoundPart[]) {
  const names = found.map(({ part }) => ` ${part.name.toLowerCase()} `)
  const isKnown = (word: string) =>
    isBesides(word) || names.some((name) => name.includes(` ${word.toLowerCase()} `))
  const rest = words.filter(
    (word, at) => !isKnown(word) && !found.some(({ from, to }) => at >= from && at < to),
  )
  return rest.length <= 2 || rest.some((word) => /\d/.test(word)) ? rest.join(' ').slice(0, 40) : ''
}

function unclear(text: string): WordLine {
  return { part: undefined, text, numbers: [], typed: '', startsWithNumber: false }
}

/** Each part with the one number before it, or each with the one behind it; null otherwise. */
function splitParts(words: string[], found: FoundPart[]): WordLine[] | null {
  const numbers = findNumbers(words, found)
  const starts = found.filter(({ part }, i) => part._id !== found[i - 1]?.part._id)
  const between = [0, ...starts.map(({ from }) => from), words.length]
  const counts = between.slice(1).map((to, i) => numbers.filter(({ at }) => at >= between[i]! && at < to))
  const hasOne = (groups: typeof counts) => groups.every((group) => group.length === 1)
  const isBehind = counts[0]!.length === 0 && hasOne(counts.slice(1))
  const isBefore = counts.at(-1)!.length === 0 && hasOne(counts.slice(0, -1))
  if (!isBehind && !isBefore) return null
  return starts.map(({ part, text }, i) => ({
    part,
    text: trimPunctuation(text),
    numbers: counts[isBehind ? i + 1 : i]!.map(({ number }) => number),
    typed: '',
    startsWithNumber: isBefore,
  }))
}

interface PlacedNumber {
  number: WrittenNumber
  at: number
}

/** Lengths and the like, and standards. */
const measures =
  /^(?:mm|cm|m|km|kg|g|lb|lbs|oz|h|t|ml|l|nm|v|w|wh|ah|mah|s|speed|teeth|tooth|in|inch|inches|zoll|%|"|'')[.,]?$/i
const standards =
  /^(?:iso|din|en|ansi|jis|astm|bs|sae|type|typ|model|modell|mod|size|grösse|v|m|no|nr)[.:]?$/i
const priceWords = /^(?:@|à|a|je|per|price|preis|prix|precio|prezzo|prijs)[.:]?$/i

function findNumbers(words: string[], found: FoundPart[]): PlacedNumber[] {
  const numbers: PlacedNumber[] = []
  const isNamed = (at: number) => found.some(({ from, to }) => at >= from && at < to)
  for (let at = 0; at < words.length; at++) {
    const alone = isNamed(at) ? null : readWrittenNumber(words[at]!)
    if (!alone) continue
    const [before, next] = [at - 1, at + 1].map((place) => (isNamed(place) ? '' : (words[place] ?? '')))
    const withUnit =
      next && readWrittenNumber(next) === null ? readWrittenNumber(`${words[at]} ${next}`) : null
    const withWord =
      before && readWrittenNumber(before) === null ? readWrittenNumber(`${before} ${words[at]}`) : null
    const number = withUnit ?? withWord ?? alone
    const isPrice = number.isMoney || priceWords.test(before!)
    const isNamePart =
      measures.test(next!) || standards.test(before!) || isInName(words[at - 1], words[at]!, found)
    if (!isPrice && !isNamePart) numbers.push({ number, at })
  }
  return numbers
}

/** As in `Pedals ISO 4210` of a part that is called `Trestle Pedals ISO 4210`. */
function isInName(before: string | undefined, word: string, found: FoundPart[]) {
  if (before === undefined || !/\p{L}/u.test(before)) return false
  const pair = ` ${before} ${word} `.toLowerCase()
  return found.some(({ part }) => ` ${part.name.toLowerCase()} `.includes(pair))
}

/** A greeting, a title or a total, not a part. */
function isRemark(line: string, words: string[]) {
  if (!/\d/.test(line) || /^(?:#|\/\/|--)/.test(line) || line.endsWith(':') || isAroundLists(line))
    return true
  const hasPartNumber = words.some(
    (word) => /\p{L}/u.test(word) && /\d/.test(word) && !readWrittenNumber(word),
  )
  const isAtEnd = [words[0], words.at(-1)].some(
    (word) => word !== undefined && readWrittenNumber(word) !== null,
  )
  return words.length > 15 || (!hasPartNumber && !isAtEnd)
}

const separator = /^(?:[-=:x×*→]|->|=>)$/i

/** A number at the end of an unknown name may belong to it, unless it is marked, or stands behind a part number. */
function readUnknown(line: string, words: string[]): WordLine {
  const numbers = findNumbers(words, [])
  const [only, second] = numbers
  const rest = words.filter((_, at) => at !== only?.at)
  while (rest.length > 0 && isBesides(rest[0]!)) rest.shift()
  while (rest.length > 0 && isBesides(rest.at(-1)!)) rest.pop()
  const isPartNumber = rest.length === 1 && /\d/.test(rest[0]!)
  const isSeparated = [words[(only?.at ?? 0) - 1], words[(only?.at ?? 0) + 1]].some((word) =>
    separator.test(word ?? ''),
  )
  if (!only || second || rest.length === 0 || !(only.number.isMarked || isPartNumber || isSeparated))
    return unclear(line)
  return {
    part: undefined,
    text: trimPunctuation(rest.join(' ')),
    numbers: [only.number],
    typed: '',
    startsWithNumber: only.at === 0,
  }
}
