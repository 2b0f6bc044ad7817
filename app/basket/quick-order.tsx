import { type FormEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { readDraft, takeVisitorDraft, updateDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { ListAnswer } from '#shop/basket/list/quantities.ts'
import {
  type ListReading,
  listTextsToLookUp,
  parsePartList,
  readPartList,
} from '#shop/basket/list/read-list.ts'
import type { TableRow } from '#shop/basket/list/table.ts'
import type { QuickRow } from '#shop/basket/quick-order.ts'
import type { LookedUpPart } from '#shop/parts/part.ts'
import type { Route } from './+types/quick-order'
import { forgetListAnswers, readListAnswers, storeListAnswer } from './list/answers.ts'
import { ListFile } from './list/list-file.tsx'
import { ListNotes } from './list/list-notes.tsx'
import { ListQuestionForm } from './list/list-question.tsx'
import { PartRows } from './part-rows.tsx'
import { describeReplaced, lookUpTexts, usePartRows } from './use-part-rows.ts'

export const meta: Route.MetaFunction = () => noindex('Quick order')

const draft = 'quick order'

export default function QuickOrderPage() {
  return (
    <>
      <h1 className="mt-10">Quick order</h1>
      <p className="mt-3 max-w-prose">
        Paste lines from a spreadsheet or an email, or type them: a part number or name, then the quantity.
        You check each line before anything goes to your basket.{' '}
        <Link to="/dashboard/lists" className="link">
          Saved lists
        </Link>
      </p>
      {/* The browser keeps what was typed on an earlier visit. Until it is read, what is typed would be lost. */}
      {useHydrated() ? (
        <QuickOrder />
      ) : (
        <ListForm text="" busy disabled onText={() => {}} onCheck={() => {}} />
      )}
    </>
  )
}

interface CheckedList {
  text: string
  table: TableRow[]
  parts: LookedUpPart[]
}

function QuickOrder() {
  const [text, setText] = useState<string>(() => {
    takeVisitorDraft(draft)
    return readDraft<{ text: string }>(draft)?.text ?? ''
  })
  const list = usePartRows()
  const [checked, setChecked] = useState('')
  const [reading, setReading] = useState<CheckedList & { result: ListReading }>()
  const result = reading?.result

  function type(text: string) {
    setText(text)
    updateDraft(draft, { text })
  }

  function check() {
    const parsed = parsePartList(text)
    if ('error' in parsed) return list.setError(parsed.error)
    const table = parsed.rows
    return list.replace(async () => show({ text, table, parts: await lookUpTexts(listTextsToLookUp(table)) }))
  }

  /** No rows while there is a question. */
  function show(one: CheckedList): QuickRow[] {
    const result = readPartList(one.table, one.parts, readListAnswers())
    setReading({ ...one, result })
    if ('question' in result) return []
    setChecked(one.text)
    return result.rows.map((row) => {
      const part = one.parts.find(({ _id }) => _id === row.part?._id)
      return { ...row, replaced: part && describeReplaced(part) }
    })
  }

  function answer(answer: ListAnswer) {
    if (!reading || !('question' in reading.result)) return
    storeListAnswer(reading.result.question.shape, answer)
    return list.replace(async () => show(reading))
  }

  function askAgain(shapes: string[]) {
    forgetListAnswers(shapes)
    return list.replace(async () => show(reading!))
  }

  /** Checked again, the added lines would be added twice. */
  function keepLines(left: QuickRow[]) {
    const lines = left.map(({ text, quantity }) => `${text}\t${quantity}`).join('\n')
    const typed = linesSince(checked, readDraft<{ text: string }>(draft)?.text ?? text)
    setChecked(lines)
    setReading(undefined)
    type([lines, ...typed].filter(Boolean).join('\n'))
  }

  return (
    <>
      <ListForm text={text} busy={list.busy} onText={type} onCheck={check} />
      <FormError message={list.error} />
      {result && 'question' in result && (
        <ListQuestionForm key={list.checks} question={result.question} onAnswer={answer} />
      )}
      {result && 'rows' in result && <ListNotes notes={result} onAskAgain={askAgain} />}
      {list.rows && list.rows.length > 0 && (
        <PartRows list={list} noun={['line', 'lines']} onAdded={keepLines} />
      )}
    </>
  )
}

/** The lines of `text` that are not among those of `before`. */
function linesSince(before: string, text: string) {
  // A file may have other line ends than the field that shows it.
  const [known = [], lines = []] = [before, text].map((list) => list.split(/\r\n?|\n/))
  return lines.filter((line) => {
    const at = known.indexOf(line)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}

interface ListFormProps {
  text: string
  busy: boolean
  disabled?: boolean
  onText: (text: string) => void
  onCheck: () => void
}

function ListForm({ text, busy, disabled = false, onText, onCheck }: ListFormProps) {
  const id = useId()
  const [fileError, setFileError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    onCheck()
  }

  return (
    <form method="post" className="mt-6 mb-4 max-w-3xl" onSubmit={submit}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Parts and quantities
      </label>
      <textarea
        id={id}
        className="textarea w-full font-mono"
        rows={8}
        spellCheck={false}
        placeholder={'WW-CN12   60\nWW-TY29   24'}
        aria-describedby={`${id}-hint`}
        value={text}
        readOnly={disabled}
        onChange={(event) => onText(event.target.value)}
      />
      <p id={`${id}-hint`} className="mt-1 mb-4 text-sm text-base-content/70">
        Up to 1,000 lines. Prices, positions and other columns can stay: if it isn’t clear which number is the
        quantity, we ask.
      </p>
      <FormError message={fileError} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={busy && !disabled} disabled={disabled} className="">
          Check lines
        </SubmitButton>
        <ListFile
          disabled={disabled}
          onText={(text) => {
            setFileError(undefined)
            onText(text)
          }}
          onError={setFileError}
        />
      </div>
    </form>
  )
}
