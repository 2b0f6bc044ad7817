/**
 * Splits an amount in proportion to weights, so that the parts add up to it: each gets the whole cents of its share, and those that are left go
 * to the largest remainders, among equal ones to the first. All are integers; without any weight, the first gets everything.
 */
export function splitInShares(amount: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (total === 0n) return weights.map((_, i) => (i === 0 ? amount : 0))
  const shares = weights.map((weight, i) => {
    const product = BigInt(amount) * BigInt(weight)
    return { i, cents: Number(product / total), remainder: product % total }
  })
  const left = amount - shares.reduce((sum, { cents }) => sum + cents, 0)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1,
  )
  for (const share of byRemainder.slice(0, left)) share.cents++
  return shares.map(({ cents }) => cents)
}

/** `amount` × `numerator` ÷ `denominator`, with halves rounded up. All are integers from 0; products beyond 2⁵³ are exact, too. */
export function multiplyRounded(amount: number, numerator: number, denominator: number): number {
  const [product, divisor] = [BigInt(amount) * BigInt(numerator), BigInt(denominator)]
  return Number((2n * product + divisor) / (2n * divisor))
}
