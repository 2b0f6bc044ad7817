/** 1240 becomes '$1,240'. */
export function dollars(amount: number) {
  return `$${amount.toLocaleString('en-US')}`
}
