import type { FactRange, FactRow, FactType, FactValue } from './interface.ts'

/** Of what is looked into. */
const maxLength = 200
const maxItems = 20

/** Undefined for text that is no such value. */
export function parseFact(type: FactType, text: string): FactValue | undefined {
  const typed = text.trim()
  if (typed === '' || typed.length > maxLength) return undefined
  switch (type.type) {
    case 'number':
      return parseAmount(typed, type.unit)
    case 'span':
      return parseSpan(typed, type.unit)
    case 'numbers':
      return parseItems(typed, (item) => parseAmount(item, type.unit))?.sort((a, b) => a - b)
    case 'choice':
      return findChoice(type.choices, typed)
    case 'choices':
      return parseItems(typed, (item) => findChoice(type.choices, item))?.sort(byPlaceIn(type.choices))
    case 'word':
      return parseWord(typed)
    case 'words':
      return parseItems(typed, parseWord)?.sort()
    case 'code':
      return parseCode(type.pattern, typed)
    case 'codes':
      return parseItems(typed, (item) => parseCode(type.pattern, item))?.sort()
    case 'yesNo':
      return /^(yes|no)$/i.test(typed) ? typed.toLowerCase() === 'yes' : undefined
  }
}

/** As `parseFact` reads it again, and without a unit. */
export function printFact(value: FactValue) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(',') || 'none'
  if (typeof value === 'object') return printSpan(value)
  return String(value)
}

/** As people read it. */
export function describeFact(fact: FactRow, value: FactValue) {
  const unit = 'unit' in fact && fact.unit ? ` ${fact.unit}` : ''
  if (typeof value === 'object' && !Array.isArray(value)) return describeSpan(value, unit)
  return `${printFact(value).replaceAll(',', ', ').replaceAll('x', '×')}${unit}`
}

export function describeSpan({ from, to }: FactRange, unit = '') {
  if (from === to) return `${from}${unit}`
  if (from === null) return `up to ${to}${unit}`
  return to === null ? `${from}${unit} or more` : `${from} to ${to}${unit}`
}

/** What an error says. */
export function exampleOfFact(type: FactType) {
  const examples = {
    number: '12.5',
    span: '28-42',
    numbers: '68,73 or none',
    word: 'a name without commas and semicolons',
    words: 'names between commas, or none',
    yesNo: 'yes or no',
  }
  if (type.type === 'choice') return `one of ${type.choices.join(', ')}`
  if (type.type === 'choices') return `some of ${type.choices.join(', ')}, or none`
  return 'example' in type ? type.example : examples[type.type]
}

/** Small differences are those of binary fractions. */
export function isSame(a: number, b: number) {
  return Math.abs(a - b) < 0.005
}

function parseAmount(text: string, unit: string) {
  const amount = unit && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length) : text
  return /^\d{1,5}([.,]\d{1,3})?$/.test(amount.trim()) ? Number(amount.trim().replace(',', '.')) : undefined
}

function parseSpan(text: string, unit: string): FactRange | undefined {
  const ends = text.split(/-|–|\bto\b/).map((end) => end.trim())
  const [from, to] = ends.map((end) => (end === '' ? null : parseAmount(end, unit)))
  if (ends.length === 1) return typeof from === 'number' ? { from, to: from } : undefined
  if (ends.length > 2 || from === undefined || to === undefined || (from === null && to === null))
    return undefined
  return from !== null && to !== null && from > to ? undefined : { from, to }
}

function printSpan({ from, to }: FactRange) {
  return from === to ? String(from) : `${from ?? ''}-${to ?? ''}`
}

function parseItems<T>(text: string, parse: (item: string) => T | undefined): T[] | undefined {
  if (/^none$/i.test(text)) return []
  const items = text.split(',').map((item) => parse(item.trim()))
  if (items.length > maxItems || items.includes(undefined)) return undefined
  return [...new Set(items as T[])]
}

/** Case, spaces and hyphens don’t count. */
export function sameNameKey(text: string) {
  return text
    .toLowerCase()
    .replaceAll('×', 'x')
    .replace(/[\s\-_″"]/g, '')
}

function findChoice(choices: string[], text: string) {
  return choices.find((choice) => sameNameKey(choice) === sameNameKey(text))
}

function byPlaceIn(choices: string[]) {
  return (a: string, b: string) => choices.indexOf(a) - choices.indexOf(b)
}

function parseWord(text: string) {
  return /^[\p{L}\p{N}][\p{L}\p{N} .+/&()-]{0,39}$/u.test(text) && !/^none$/i.test(text) ? text : undefined
}

function parseCode(pattern: RegExp, text: string) {
  const code = text.replaceAll('×', 'x').replace(/\s|mm/g, '')
  return [code, code.toUpperCase(), code.toLowerCase()].find((typed) => pattern.test(typed))
}
