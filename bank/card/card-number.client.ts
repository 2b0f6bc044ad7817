interface Brand {
  name: string
  begins: RegExp
  lengths: number[]
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

const unknownBrand = { lengths: [12, 13, 14, 15, 16, 17, 18, 19], groups: four, cvc: undefined }

export const pickDigits = (input: string) => input.replace(/\D/g, '')

export function findBrand(input: string): Brand | undefined {
  const digits = pickDigits(input)
  return brands.find(({ begins }) => begins.test(digits))
}

export function formatCardNumber(input: string): string {
  const { lengths, groups } = findBrand(input) ?? unknownBrand
  const digits = pickDigits(input).slice(0, lengths.at(-1))
  let offset = 0
  const parts = groups.map((size) => {
    offset += size
    return digits.slice(offset - size, offset)
  })
  return parts.filter(Boolean).join(' ')
}

export function validateCardNumber(input: string): string | undefined {
  const digits = pickDigits(input)
  const { lengths } = findBrand(digits) ?? unknownBrand
  if (!digits) return 'Card number is required'
  if (digits.length < lengths[0]!) return 'Card number is too short'
  if (!lengths.includes(digits.length) || !hasValidChecksum(digits)) return 'Card number is invalid'
  return undefined
}

function hasValidChecksum(digits: string) {
  const sum = [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export const cvcLength = (number: string) => findBrand(number)?.cvc

export function validateCvc(input: string, number: string): string | undefined {
  const length = cvcLength(number)
  if (!input) return 'CVC is required'
  if (length ? input.length !== length : input.length < 3) return `CVC must be ${length ?? '3 or 4'} digits`
  return undefined
}
