/** Milliseconds by which the shop's clock is ahead of this device's. */
let offset = 0

/** From the `Date` of a response, which has no fractions of a second. */
export function noteServerTime(date: string | null) {
  const time = Date.parse(date ?? '')
  if (Number.isNaN(time)) return
  const difference = time - Date.now()
  // What a request takes is no difference of clocks.
  offset = Math.abs(difference) < 5_000 ? 0 : difference
}

/** Milliseconds. By the shop's clock, which decides when time is up. */
export const serverNow = () => Date.now() + offset
