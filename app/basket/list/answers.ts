import { z } from 'zod'
import type { ListAnswer, ListAnswers } from '#shop/basket/list/quantities.ts'

const key = 'listAnswers'
const maxShapes = 50

const listAnswers = z.record(
  z.string(),
  z.object({
    column: z.int().nullable().optional(),
    mark: z.enum([',', '.']).optional(),
  }),
)

/** Of this tab, where the browser stores nothing. */
let kept: ListAnswers = {}

/** What this browser's customer has said about lists of each shape. */
export function readListAnswers(): ListAnswers {
  try {
    const stored = listAnswers.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}'))
    return { ...(stored.success ? (stored.data as ListAnswers) : {}), ...kept }
  } catch {
    return kept
  }
}

export function storeListAnswer(shape: string, answer: ListAnswer) {
  const { [shape]: before, ...others } = readListAnswers()
  store([...Object.entries(others), [shape, { ...before, ...answer }]])
}

export function forgetListAnswers(shapes: string[]) {
  store(Object.entries(readListAnswers()).filter(([shape]) => !shapes.includes(shape)))
}

function store(entries: [string, ListAnswer][]) {
  kept = Object.fromEntries(entries.slice(-maxShapes))
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Site data may be blocked or full: `kept` has them.
  }
}
