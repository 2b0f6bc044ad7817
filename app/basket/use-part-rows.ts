import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { client } from '#app/client.ts'
import { errorText } from '#app/ui/error-text.ts'
import { findByText } from '#shop/basket/list/find-parts.ts'
import { joinRows, type QuickRow } from '#shop/basket/quick-order.ts'
import type { LookedUpPart, PartSummary } from '#shop/parts/part.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'

/** Together they fit into the body of a request. */
const textsPerRequest = 400
const charactersPerRequest = 15_000
/** Rows for which similar parts are searched unasked. */
const maxSuggested = 20

export type PartRowList = ReturnType<typeof usePartRows>

export function usePartRows(initial?: QuickRow[]) {
  const [rows, setRows] = useState(initial)
  const [checks, setChecks] = useState(0)
  const [suggestions, setSuggestions] = useState<Record<string, PartSummary[]>>({})
  const { busy, error, setError, run } = useWork()
  /** The latest correction of each row of the latest list: what an earlier one finds is of another text. */
  const corrections = useRef(new Map<string, object>())

  useEffect(() => {
    if (!initial) return
    const missing = initial.filter(({ part }) => !part)
    // The rows can be corrected without them.
    suggestSimilar(missing, setSuggestions).catch(() => {})
  }, [initial])

  async function replace(read: () => Promise<QuickRow[]>) {
    const list = new Map<string, object>()
    corrections.current = list
    const isLatest = () => corrections.current === list
    await run(async () => {
      const rows = await read()
      if (!isLatest()) return
      // Of rows that are replaced now.
      list.clear()
      setSuggestions({})
      setRows(rows)
      setChecks((count) => count + 1)
      const missing = rows.filter(({ part }) => !part)
      await suggestSimilar(missing, setSuggestions, isLatest)
    })
  }

  function change(id: string, changed: Partial<QuickRow>) {
    setRows((rows = []) => {
      const next = rows.map((row) => (row.id === id ? { ...row, ...changed } : row))
      // Not while a quantity is typed.
      return changed.part ? joinRows(next) : next
    })
  }

  /** A part that was suggested, whatever a lookup for the row still finds. */
  function choose({ id }: QuickRow, part: PartSummary) {
    corrections.current.delete(id)
    change(id, { part, text: part.partNumber, replaced: undefined })
  }

  /** Looks up what a row's text was corrected to. */
  async function correct(row: QuickRow, text: string) {
    const attempt = {}
    corrections.current.set(row.id, attempt)
    const isLatest = () => corrections.current.get(row.id) === attempt
    await run(async () => {
      const part = findByText(await lookUpTexts([text]), text)
      if (!isLatest()) return
      // The text no longer names the part of the order or the list.
      change(row.id, { text, part, partId: undefined, replaced: part && describeReplaced(part) })
      if (!part) await suggestSimilar([{ ...row, text }], setSuggestions, isLatest)
    })
  }

  function remove(ids: string[]) {
    setRows((rows) => rows?.filter(({ id }) => !ids.includes(id)))
  }

  return {
    rows,
    checks,
    suggestions,
    error,
    busy,
    setError,
    replace,
    change,
    choose,
    correct,
    remove,
  }
}

/** Busy until all of it is done. */
function useWork() {
  const [error, setError] = useState<string>()
  const [running, setRunning] = useState(0)

  async function run(work: () => Promise<void>) {
    setRunning((count) => count + 1)
    setError(undefined)
    try {
      await work()
    } catch (error) {
      setError(errorText(error))
    }
    setRunning((count) => count - 1)
  }
  return { busy: running > 0, error, setError, run }
}

async function suggestSimilar(
  rows: QuickRow[],
  setSuggestions: Dispatch<SetStateAction<Record<string, PartSummary[]>>>,
  isLatest = () => true,
) {
  for (const { id, text } of rows.slice(0, maxSuggested)) {
    if (!text) continue
    const found = await client.listParts({ body: { q: text.slice(0, 100), limit: 3 } })
    if (!isLatest()) return
    setSuggestions((before) => ({ ...before, [id]: found.rows }))
  }
}

/** Which of the numbers that were looked up it replaces. */
export function describeReplaced({ partNumber, replaces }: LookedUpPart) {
  return replaces.map((one) => describeReplacement(one, partNumber)).join(' ')
}

export async function lookUpTexts(texts: string[]): Promise<LookedUpPart[]> {
  const wanted = [...new Set(texts)].filter((text) => text.trim() !== '')
  const found = new Map<string, LookedUpPart>()
  for (let from = 0; from < wanted.length; ) {
    const some = takeTexts(wanted.slice(from, from + textsPerRequest))
    for (const part of await client.lookUpParts({ body: { texts: some } })) {
      const before = found.get(part._id)
      const named = [...(before?.named ?? []), ...part.named]
      const replaces = [...(before?.replaces ?? []), ...part.replaces]
      found.set(part._id, { ...part, named, replaces })
    }
    from += some.length
  }
  return [...found.values()]
}

function takeTexts(texts: string[]) {
  let characters = 0
  const end = texts.findIndex((text) => {
    characters += text.length
    return characters > charactersPerRequest
  })
  return end < 0 ? texts : texts.slice(0, Math.max(1, end))
}
