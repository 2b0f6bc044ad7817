export function formatDollars(amount: number) {
  return `$${amount.toLocaleString('en-US')}`
}
