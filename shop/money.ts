/** 1240 becomes '$1,240'. */
export function formatDollars(amount: number) {
  return `$${amount.toLocaleString('en-US')}`
}
