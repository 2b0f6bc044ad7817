interface Brand {
  name: string
  begins: RegExp
  /** How many digits a number may have. */
  lengths: number[]
  /** How many digits stand together. */
  groups: number[]
  cvc: number
}

const four = [4, 4, 4, 4, 4]

// biome-ignore format: a table
const brands: Brand[] = [
  { name: 'Visa',             begins: /^4/,                              lengths: [16],             groups: four,      cvc: 3 },
  { name: 'Mastercard',       begins: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], groups: four,    cvc: 3 },
  { name: 'American Express', begins: /^3[47]/,                          lengths: [15],             groups: [4, 6, 5], cvc: 4 },
  { name: 'Diners Club',      begins: /^(30[0-5]|3[689])/,               lengths: [14, 16],         groups: four,      cvc: 3 },
  { name: 'Discover',         begins: /^(6011|64[4-9]|65)/,              lengths: [16, 19],         groups: four,      cvc: 3 },
  { name: 'JCB',              begins: /^35(2[89]|[3-8])/,                lengths: [16, 19],         groups: four,      cvc: 3 },
  { name: 'UnionPay',         begins: /^62/,                             lengths: [16, 17, 18, 19], groups: four,      cvc: 3 },
]

const unknown = { lengths: [12, 13, 14, 15, 16, 17, 18, 19], groups: four, cvc: undefined }

export const digitsOf = (typed: string) => typed.replace(/\D/g, '')

/** Whose card it is, as soon as the first digits tell. */
export function brandOf(typed: string): Brand | undefined {
  const digits = digitsOf(typed)
  return brands.find(({ begins }) => begins.test(digits))
}

/** A card number in groups as they stand on the card, however it is typed; what is too much is left out. */
export function grouped(typed: string): string {
  const { lengths, groups } = brandOf(typed) ?? unknown
  const digits = digitsOf(typed).slice(0, lengths.at(-1))
  let at = 0
  const parts = groups.map((size) => {
    at += size
    return digits.slice(at - size, at)
  })
  return parts.filter(Boolean).join(' ')
}

/** What is wrong with a card number, in words. */
export function numberProblem(typed: string): string | undefined {
  const digits = digitsOf(typed)
  const { lengths } = brandOf(digits) ?? unknown
  if (!digits) return 'Card number is required'
  if (digits.length < lengths[0]!) return 'Card number is too short'
  if (!lengths.includes(digits.length) || !adds(digits)) return 'A digit of this card number is wrong'
  return undefined
}

/** Luhn: every second digit from the right counts twice, and all together end in zero. */
function adds(digits: string) {
  const sum = [...digits].reverse().reduce((sum, digit, place) => {
    const worth = Number(digit) * (place % 2 ? 2 : 1)
    return sum + (worth > 9 ? worth - 9 : worth)
  }, 0)
  return sum % 10 === 0
}

export const cvcLength = (number: string) => brandOf(number)?.cvc

export function cvcProblem(typed: string, number: string): string | undefined {
  const length = cvcLength(number)
  if (!typed) return 'CVC is required'
  if (length ? typed.length !== length : typed.length < 3) return `CVC has ${length ?? '3 or 4'} digits`
  return undefined
}
