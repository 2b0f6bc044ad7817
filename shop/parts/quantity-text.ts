/** What separates decimals; the other one then separates thousands. */
export type DecimalMark = ',' | '.'

/** A number as it was written, which may mean one thing where the comma separates decimals and another where the point does. */
export interface WrittenNumber {
  text: string
  /** By what separates decimals; null where the text is no number then. */
  values: Record<DecimalMark, number | null>
  /** With a currency, as prices have it. */
  isMoney: boolean
  /** With decimals for certain, as prices have them: `24.00`, not `60.000`. */
  hasDecimals: boolean
  /** With a unit or a word such as `qty`. */
  isMarked: boolean
}

const thousandsSpaces = /(\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/g

/** Digits, quotation marks, dashes and spaces as an English keyboard writes them, and nothing invisible. */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Cf}\0]/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, toDigit)
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‘’‚‛′`´\u066c]/g, "'")
    .replace(/\u066b/g, '.')
    .replace(/[،、]/g, ',')
    .replace(thousandsSpaces, "$1'")
    .replace(/[\t\v\f\p{Zs}]/gu, (space) => (space === '\t' ? space : ' '))
}

/** Unicode has the ten digits of a script one after the other. */
function toDigit(digit: string) {
  const code = digit.codePointAt(0)!
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** Each of them is one of what is ordered; a pair, a box or a carton may not be. */
const units = new Set(
  `pc pcs pce pces piece pieces ea each unit units un off nos
  stk stck stück stücke stueck st pièce pièces unité unités
  pieza piezas pza pzas ud uds unidad unidades pezzo pezzi pz stuk stuks szt шт 個 个 件 本 قطعة`.split(
    /\s+/,
  ),
)
const dozens = new Set([
  'dozen',
  'dozens',
  'doz',
  'dz',
  'dutzend',
  'douzaine',
  'douzaines',
  'docena',
  'docenas',
])
/** Nobody has said how many are in one. */
const packs = new Set(
  `pack packs box boxes carton cartons case cases crate crates bag bags pallet pallets pair pairs set sets kit kits karton kartons vpe
  paar satz sätze boîte boîtes carton colis paire paires lot lots caja cajas par pares scatola scatole paio paia doos doosje paren gross hundred thousand`.split(
    /\s+/,
  ),
)
const quantityWords = new Set(
  `qty quantity quantities count order need menge anzahl stückzahl quantité quantite qté qte cantidad cant
  quantità quantita qta qtà aantal`.split(/\s+/),
)
const currency = /[$€£¥₹]|(?<![a-z])(?:eur|usd|gbp|chf|jpy|cad|aud)(?![a-z])/
const digit = /\d/
/** The signs between which a number may stand. */
const leading = /^[\s=:([#×*x@]$/
const trailing = /^[\s)\];:,×*x]$/

/** Reads `60`, `1.200,00`, `60 pcs.`, `qty: 60`, `x60`, `(60)`, `€ 24,00` and `5 dozen`; null when the text is something else. */
export function readWrittenNumber(typed: string): WrittenNumber | null {
  const text = toPlainText(typed).trim().toLowerCase()
  if (text.length > 40 || !digit.test(text)) return null
  const isMoney = text.startsWith('@') || currency.test(text)
  const { number, words } = splitWords(text.replace(currency, ' '))
  const isInPacks = words.some((word) => packs.has(word))
  if (isInPacks && /^\d/.test(number)) return unreadable(typed)
  const factor = words.every((word) => units.has(word) || quantityWords.has(word)) ? 1 : readDozens(words)
  if (factor === null) return null
  const read = (mark: DecimalMark) => readNumber(number, mark)
  const values = { ',': read(','), '.': read('.') }
  if (values[','] === null && values['.'] === null) return isAlmostNumber(number) ? unreadable(typed) : null
  return {
    text: typed.trim(),
    values: { ',': multiply(values[','], factor), '.': multiply(values['.'], factor) },
    isMoney,
    hasDecimals: hasDecimals(number, values),
    isMarked: words.length > 0 || /^[x×*]|[x×*]$/.test(text),
  }
}

/** No quantity, but no word either: what was typed stays. */
function unreadable(typed: string): WrittenNumber {
  return {
    text: typed.trim(),
    values: { ',': null, '.': null },
    isMoney: false,
    hasDecimals: false,
    isMarked: false,
  }
}

function readDozens(words: string[]) {
  const others = words.filter((word) => !dozens.has(word))
  return others.every((word) => quantityWords.has(word)) && words.length - others.length === 1 ? 12 : null
}

function multiply(value: number | null, factor: number) {
  return value === null ? null : value * factor
}

/** The digits with what belongs to them, and the words before and behind. */
function splitWords(text: string) {
  let start = 0
  let end = text.length
  const before = /^\p{L}{2,}\.?[\s:=]*(?=[^\p{L}])/u.exec(text)?.[0] ?? ''
  start = before.length
  while (start < end && leading.test(text[start]!)) start++
  while (end > start && trailing.test(text[end - 1]!)) end--
  const rest = text.slice(start, end)
  const after = /(?<![\p{L}.])\.*(\p{L}[\p{L}.]*)$/u.exec(rest)?.[1] ?? ''
  const number = rest.slice(0, rest.length - after.length).replace(/(?<![\s)\]])[\s)\]]+$/, '')
  const words = [before, after].map((word) => word.replace(/[^\p{L}]/gu, '')).filter(Boolean)
  return { number: number.replace(/^\+/, ''), words }
}

/** `60-`, `-60` and `1e3`. */
function isAlmostNumber(text: string) {
  return /^-?\d[\d.,']*(?:e[+-]?\d+)?-?$/.test(text)
}

/** Null when it is no number where `mark` separates decimals. */
function readNumber(text: string, mark: DecimalMark): number | null {
  const [whole = '', decimals, ...more] = text.split(mark)
  if (more.length > 0 || (decimals !== undefined && !/^\d{1,9}$/.test(decimals))) return null
  const digits = joinThousands(whole)
  return digits === null ? null : Number(`${digits}.${decimals ?? 0}`)
}

function joinThousands(whole: string): string | null {
  if (/^\d{1,12}$/.test(whole)) return whole
  const [separator] = /[.,' ]/.exec(whole) ?? []
  if (separator === undefined) return null
  const [first = '', ...groups] = whole.split(separator)
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(first) && groups.length <= 3 && groups.every((one) => /^\d{3}$/.test(one))
  return isGrouped ? [first, ...groups].join('') : null
}

function hasDecimals(number: string, values: WrittenNumber['values']) {
  if (values[','] === null) return number.includes('.')
  return values['.'] === null ? number.includes(',') : false
}

/** One, none, or two such as 60 and 60,000. */
export function wholeValues({ values }: WrittenNumber): number[] {
  return [...new Set(Object.values(values))].filter(
    (value) => value !== null && Number.isSafeInteger(value),
  ) as number[]
}

/** What a field for one quantity says, where `1,200` and `1.200` are 1200. */
export function readQuantity(typed: string): number | undefined {
  const written = readWrittenNumber(typed)
  const values = written && !written.isMoney ? wholeValues(written) : []
  return values.length > 0 ? Math.max(...values) : undefined
}

/** As digits. */
export function readQuantityText(typed: string): string | undefined {
  const quantity = readQuantity(typed)
  return quantity === undefined ? undefined : String(quantity)
}
