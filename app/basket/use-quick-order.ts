import { useRef, useState } from 'react'
import { client } from '#app/client.ts'
import { parsePartList } from '#shop/basket/part-list.ts'
import { findByText, joinRows, type QuickRow, toRows } from '#shop/basket/quick-order.ts'
import type { PartSummary } from '#shop/parts/part.ts'

/** Fit into the body of a request. */
const textsPerRequest = 150
/** Rows for which similar parts are searched unasked. */
const maxSuggested = 20

export function useQuickOrder() {
  const [rows, setRows] = useState<QuickRow[]>()
  const [suggestions, setSuggestions] = useState<Record<string, PartSummary[]>>({})
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [checks, setChecks] = useState(0)
  const latest = useRef(0)

  async function run(work: () => Promise<void>) {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (error) {
      setError(error instanceof Error ? error.message : 'Something went wrong. Try again.')
    }
    setBusy(false)
  }

  async function check(text: string) {
    const list = parsePartList(text)
    if ('error' in list) return setError(list.error)
    latest.current += 1
    const current = latest.current
    await run(async () => {
      const rows = toRows(list.lines, await lookUp(list.lines.flatMap(({ texts }) => texts)))
      if (current !== latest.current) return
      setSuggestions({})
      setRows(rows)
      setChecks(current)
      await suggest(rows.filter(({ part }) => !part).slice(0, maxSuggested))
    })
  }

  async function suggest(rows: QuickRow[]) {
    for (const { id, text } of rows) {
      if (!text) continue
      const found = await client.listParts({ body: { q: text.slice(0, 100), limit: 3 } })
      setSuggestions((before) => ({ ...before, [id]: found.rows }))
    }
  }

  function change(id: string, changed: Partial<QuickRow>) {
    setRows((rows) => joinRows((rows ?? []).map((row) => (row.id === id ? { ...row, ...changed } : row))))
  }

  /** Looks up what a row's text was corrected to. */
  async function correct(row: QuickRow, text: string) {
    await run(async () => {
      const part = findByText(await lookUp([text]), text)
      change(row.id, { text, part })
      if (!part) await suggest([{ ...row, text }])
    })
  }

  function remove(ids: string[]) {
    setRows((rows) => rows?.filter(({ id }) => !ids.includes(id)))
  }

  return { rows, checks, suggestions, error, busy, check, change, correct, remove }
}

async function lookUp(texts: string[]): Promise<PartSummary[]> {
  const wanted = [...new Set(texts)].filter((text) => text.trim() !== '')
  const found = new Map<string, PartSummary>()
  for (let from = 0; from < wanted.length; from += textsPerRequest) {
    const parts = await client.lookUpParts({ body: { texts: wanted.slice(from, from + textsPerRequest) } })
    for (const part of parts) found.set(part._id, part)
  }
  return [...found.values()]
}
