import { type SubmitEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { randomId } from '#app/browser/random-id.ts'
import { ApiError } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatCount } from '#shop/money.ts'
import { type ImportPreview, largeImport, maxImportLength, maxImportRows } from '#shop/parts/import/import.ts'
import type { Route } from './+types/import-products'
import { ImportRows } from './import-rows.tsx'

export const meta = () => noindex('Import products')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ImportProducts() {
  const { file, choose, preview, message, busy, check, apply } = useImport()
  return (
    <>
      <Link to="/dashboard/manageProducts" className="mb-3 inline-block link">
        Back to products
      </Link>
      <h1 className="mb-5">Import products</h1>
      <p className="mb-2 max-w-prose">
        Export the products as CSV, edit the file in a spreadsheet, and import it here. You see every change
        before anything is saved. Up to {formatCount(maxImportRows)} rows.
      </p>
      <ul className="mb-6 max-w-prose list-disc pl-5">
        <li>
          The part number says which part a row is about. A new number adds a part, whose picture must be one
          that the shop already has.
        </li>
        <li>Columns can be left out: what they hold stays as it is.</li>
        <li>Keep the column Stock when exported, so that what is sold in the meantime stays sold.</li>
      </ul>
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
      {preview && <Preview preview={preview} busy={busy !== null} apply={apply} />}
    </>
  )
}

type Work = 'checking' | 'importing'

function useImport() {
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState<{ csv: string; preview: ImportPreview; key: string }>()
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
    setChecked({ csv, preview: await adminClient.previewImport({ body: { csv } }), key: randomId() })
  }

  async function save({ csv, preview, key }: NonNullable<typeof checked>) {
    const isHere = rememberPage()
    try {
      const { changed, added } = await adminClient.importProducts({
        body: { csv, digest: preview.digest },
        key,
      })
      if (isHere()) await navigate('/dashboard/manageProducts')
      showToast(`${countParts(changed)} changed, ${formatCount(added)} added`)
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
  preview: ImportPreview
  busy: boolean
  apply: () => void
}

function Preview({ preview, busy, apply }: PreviewProps) {
  const { rows, errors, added, changed, unchanged } = preview
  const total = errors + added + changed
  const counts = [
    errors > 0 && `${countNoun(errors, 'row')} with errors`,
    changed > 0 && `${countParts(changed)} to change`,
    added > 0 && `${countParts(added)} to add`,
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
          {busy ? 'Importing…' : `Import ${countParts(added + changed)}`}
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

const countNoun = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
const countParts = (count: number) => countNoun(count, 'part')
