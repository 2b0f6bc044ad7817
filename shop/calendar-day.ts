import { z } from 'zod'

/** A day as `2026-10-31`. Not `z.iso.date`, which every page with a form would load. */
export function calendarDay(message: string) {
  return z.string(message).refine(isDay, message)
}

function isDay(text: string) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
