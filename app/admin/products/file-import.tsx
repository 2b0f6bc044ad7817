import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { randomId } from '#app/browser/random-id.ts'
import { ApiError } from '#app/client.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatCount } from '#shop/money.ts'
import { type ImportPreview, largeImport, maxImportLength } from '#shop/parts/import/import.ts'
import { ImportRows } from './import-rows.tsx'

interface Preview extends ImportPreview {
  /** Where an import can remove what there is. */
  removed?: number
}

interface Props {
  preview: (csv: string) => Promise<Preview>
  /** Returns the toast. */
  save: (request: { body: { csv: string; digest: string }; key: string }) => Promise<string>
  /** What a row is about. */
  noun: string
  /** The page that opens once all is imported. */
  then: string
}

/** A CSV file is checked, then imported as a whole. */
export function FileImport(props: Props) {
  const { file, choose, preview, message, busy, check, apply } = useImport(props)
  return (
    <>
      <form method="post" className="mb-6 max-w-md" onSubmit={check}>
        <Field
          label="CSV file"
          type="file"
          accept=".csv,text/csv"
          disabled={busy !== null}
          onChange={(event) => choose(event.target.files?.[0])}
          className="file-input w-full"
        />
        <FormError message={message} />
        <SubmitButton busy={busy !== null} className="">
          {busy === 'checking' ? 'Checking…' : 'Check file'}
        </SubmitButton>
      </form>

      {busy && <Working what={busy} name={file?.name ?? ''} />}
      {preview && <ImportSummary preview={preview} noun={props.noun} busy={busy !== null} apply={apply} />}
    </>
  )
}

type Work = 'checking' | 'importing'

interface Checked {
  csv: string
  preview: Preview
  key: string
}

function useImport({ preview: readPreview, save: send, then }: Props) {
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState<Checked>()
  const [message, setMessage] = useState<string>()
  const [busy, setBusy] = useState<Work | null>(null)
  const navigate = useNavigate()

  async function run(work: Work, task: () => Promise<void>) {
    if (busy) return
    setBusy(work)
    setMessage(undefined)
    try {
      await task()
    } catch (error) {
      setMessage((error as Error).message)
    } finally {
      setBusy(null)
    }
  }

  async function show(csv: string) {
    setChecked(undefined)
    setChecked({ csv, preview: await readPreview(csv), key: randomId() })
  }

  async function save({ csv, preview: { digest }, key }: Checked) {
    const isHere = rememberPage()
    try {
      const toast = await send({ body: { csv, digest }, key })
      if (isHere()) await navigate(then)
      showToast(toast)
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await show(csv)
      throw error
    }
  }

  return {
    file,
    message,
    busy,
    preview: checked?.preview,
    choose(file: File | undefined) {
      setFile(file)
      setChecked(undefined)
      setMessage(undefined)
    },
    check(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault()
      run('checking', async () => show(await readText(file)))
    },
    apply: () => checked && run('importing', () => save(checked)),
  }
}

/** Throws an Error with a message for people. */
async function readText(file: File | undefined) {
  if (!file) throw new Error('Choose a CSV file')
  if (file.size > maxImportLength) throw new Error(largeImport)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new Error('We can’t read this file. Save it as “CSV UTF-8” and choose it again.')
  }
}

function Working({ what, name }: { what: Work; name: string }) {
  return (
    <div className="mb-6 max-w-md" role="status">
      <p className="mb-2">{what === 'checking' ? `Checking ${name}…` : `Importing ${name}…`}</p>
      <progress className="progress w-full" aria-label={what === 'checking' ? 'Checking' : 'Importing'} />
      <p className="mt-1 text-sm text-base-content/75">Thousands of rows can take a minute.</p>
    </div>
  )
}

interface PreviewProps {
  preview: Preview
  noun: string
  busy: boolean
  apply: () => void
}

function ImportSummary({ preview, noun, busy, apply }: PreviewProps) {
  const { rows, errors, added, changed, removed = 0, unchanged } = preview
  const total = errors + added + changed + removed
  const counts = [
    errors > 0 && `${countNoun(errors, 'row')} with errors`,
    changed > 0 && `${countNoun(changed, noun)} to change`,
    added > 0 && `${countNoun(added, noun)} to add`,
    removed > 0 && `${countNoun(removed, noun)} to remove`,
    unchanged > 0 && `${formatCount(unchanged)} unchanged`,
  ]
  return (
    <section aria-label="Preview">
      <p role="status" className="mb-3 font-medium">
        {total === 0
          ? `Nothing to import: ${countNoun(unchanged, 'row')} as in the catalogue.`
          : `${counts.filter(Boolean).join(', ')}.`}
      </p>
      {errors > 0 && (
        <p className="mb-3">Nothing can be imported before all errors are corrected in the file.</p>
      )}
      {total > 0 && errors === 0 && (
        <button type="button" className="btn mb-5 btn-primary" aria-disabled={busy} onClick={apply}>
          {busy ? 'Importing…' : `Import ${countNoun(total, noun)}`}
        </button>
      )}
      {rows.length < total && (
        <p className="mb-3 text-sm text-base-content/75">
          {`The first ${formatCount(rows.length)} of ${formatCount(total)} rows are shown.`}
        </p>
      )}
      {rows.length > 0 && <ImportRows rows={rows} />}
    </section>
  )
}

export const countNoun = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
