/**
 * From 0 at `from` to 1 at `to`, level at both. Unlike three's own, `from` may be the larger one: then it falls as x rises.
 */
export function smoothstep(x: number, from: number, to: number) {
  const t = Math.min(Math.max((x - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
}
