const syllables = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru']
let count = 1_000

/**
 * A word of four syllables that this worker, whose shop is its own, has not used yet. Only letters: searches cut what they are given into
 * words and numbers, so a random id need not find itself.
 */
export function uniqueWord(): string {
  count += 1
  return [...String(count)].map((digit) => syllables[Number(digit)]).join('')
}
