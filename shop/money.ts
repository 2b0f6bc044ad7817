/** Whole dollars as people read them: 1240 is '$1,240'. */
export function dollars(amount: number) {
  return `$${amount.toLocaleString('en-US')}`
}
