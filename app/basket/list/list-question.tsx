import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FormError } from '#app/ui/form-error.tsx'
import type { ColumnQuestion, ListAnswer, ListQuestion, MarkQuestion } from '#shop/basket/list/quantities.ts'
import { formatCount } from '#shop/money.ts'

interface Props<Question> {
  question: Question
  onAnswer: (answer: ListAnswer) => void
}

/** Asked once for the whole list. */
export function ListQuestionForm({ question, onAnswer }: Props<ListQuestion>) {
  return question.kind === 'column' ? (
    <ColumnChoice question={question} onAnswer={onAnswer} />
  ) : (
    <MarkChoice question={question} onAnswer={onAnswer} />
  )
}

function ColumnChoice({ question: { columns, texts }, onAnswer }: Props<ColumnQuestion>) {
  const choices = columns.map(({ index, name, samples }) => ({
    value: String(index),
    label: name,
    detail: samples.filter(Boolean).join(', '),
  }))
  const none = { value: 'none', label: 'None of these', detail: 'You type the quantities below' }
  return (
    <Choice
      legend="Which column is the quantity?"
      choices={[...choices, none]}
      missing="Choose the column of the quantities."
      button="Use this column"
      onChoose={(value) => onAnswer({ column: value === 'none' ? null : Number(value) })}
    >
      <div className="min-w-0 overflow-x-auto">
        <table className="table w-auto table-sm [&_td]:px-2 [&_th]:px-2 [&_tr>:first-child]:pl-0">
          <thead>
            <tr>
              <th scope="col">Part</th>
              {columns.map(({ index, name }) => (
                <th key={index} scope="col" className="text-right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map((text, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
              <tr key={row}>
                <th scope="row" className="font-normal">
                  {text}
                </th>
                {columns.map(({ index, samples }) => (
                  <td key={index} className="text-right tabular-nums">
                    {samples[row]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Choice>
  )
}

function MarkChoice({ question: { sample, values }, onAnswer }: Props<MarkQuestion>) {
  const choices = ([',', '.'] as const)
    .map((mark) => ({ value: mark, number: values[mark] }))
    .toSorted((a, b) => a.number - b.number)
    .map(({ value, number }, i) => ({
      value,
      label: formatCount(number),
      detail: i === 0 ? 'The zeros are decimals' : 'The zeros are part of the number',
    }))
  return (
    <Choice
      legend={`How many is ${sample} in this list?`}
      choices={choices}
      missing="Choose a number."
      button="Read numbers this way"
      onChoose={(mark) => onAnswer({ mark: mark === ',' ? ',' : '.' })}
    />
  )
}

interface ChoiceProps {
  legend: string
  choices: { value: string; label: string; detail: string }[]
  /** Shown when nothing was chosen. */
  missing: string
  button: string
  onChoose: (value: string) => void
  children?: ReactNode
}

function Choice({ legend, choices, missing, button, onChoose, children }: ChoiceProps) {
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen === undefined) setMissing(true)
    else onChoose(chosen)
  }

  return (
    <form
      method="post"
      className="mt-8 max-w-3xl rounded-box border border-base-300 p-4 sm:p-5"
      onSubmit={submit}
    >
      <h2 id={id} ref={heading} tabIndex={-1} className="outline-none">
        {legend}
      </h2>
      <p className="mt-1 mb-4 text-sm text-base-content/75">
        We remember this for lists of the same columns.
      </p>
      {children}
      <div role="radiogroup" aria-labelledby={id} className="my-4 grid gap-1">
        {choices.map(({ value, label, detail }) => (
          <label key={value} className="flex cursor-pointer items-baseline gap-x-3 py-2">
            <input
              type="radio"
              className="radio self-center radio-sm"
              name={id}
              value={value}
              checked={chosen === value}
              onChange={() => setChosen(value)}
            />
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{label}</span>
              <span className="text-sm wrap-anywhere text-base-content/75">{detail}</span>
            </span>
          </label>
        ))}
      </div>
      <FormError message={isMissing && chosen === undefined ? missing : undefined} />
      <button type="submit" className="btn btn-primary">
        {button}
      </button>
    </form>
  )
}
