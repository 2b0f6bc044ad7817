import { type FormEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readBase64 } from '#app/browser/read-base64.ts'
import { ApiError } from '#app/client.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { formatBytes } from '#app/ui/format-bytes.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { formatDay } from '#shop/dates.ts'
import {
  type DocumentUpload,
  documentKindNames,
  documentKinds,
  largeDocument,
  maxDocumentBytes,
  type PartDocument,
} from '#shop/part-documents/part-document.ts'

interface Props {
  part: { _id: string; name: string }
  documents: PartDocument[]
}

/** Saved at once, apart from the product's form. */
export function DocumentsSection({ part, documents }: Props) {
  return (
    <section aria-labelledby="documents" className="mt-10 max-w-3xl border-t border-base-300 pt-6">
      <h2 id="documents" className="mb-2">
        Documents
      </h2>
      <p className="mb-4 text-base-content/75">
        Manuals, certificates and drawings, which anybody can download from the part’s page. PDFs of at most
        20 MB.
      </p>
      {documents.length > 0 && (
        <ul className="mb-6 border-t border-base-300">
          {documents.map((document) => (
            <DocumentRow key={document._id} part={part} document={document} />
          ))}
        </ul>
      )}
      <DocumentForm part={part} />
    </section>
  )
}

function DocumentRow({ part, document }: { part: Props['part']; document: PartDocument }) {
  const { busy, run } = useAction()
  const { _id: id, kind, title, size, addedAt } = document
  return (
    <NamedRow name={title}>
      <li className="flex flex-wrap items-center justify-between gap-3 border-b border-base-300 py-3">
        <p className="min-w-0 wrap-anywhere">
          {`${documentKindNames[kind]}: ${title}`}
          <span className="block text-sm text-base-content/75">
            {`${formatBytes(size)}, added on ${formatDay(addedAt)}`}
          </span>
        </p>
        <div className="flex gap-2">
          <a
            className="btn btn-sm"
            href={`/api/part/${part._id}/documents/${id}`}
            download
            aria-label={`Download, ${title}`}
          >
            Download
          </a>
          <ConfirmButton
            label="Delete"
            busy={busy}
            question={`Delete “${title}” of ${part.name}?`}
            action="Delete document"
            dismiss="Keep document"
            onConfirm={() =>
              run('Document deleted', () =>
                adminClient.deletePartDocument({ params: { partId: part._id, id } }),
              )
            }
          />
        </div>
      </li>
    </NamedRow>
  )
}

function DocumentForm({ part }: { part: Props['part'] }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ message: string; fields: ApiError['fields'] }>()
  const { revalidate } = useRevalidator()

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    setBusy(true)
    setFailure(undefined)
    try {
      await adminClient.addPartDocument({ body: await readForm(part._id, new FormData(form)) })
      form.reset()
      showToast('Document added')
      await revalidate()
    } catch (error) {
      const { message } = error as Error
      setFailure({ message, fields: error instanceof ApiError ? error.fields : {} })
    } finally {
      setBusy(false)
    }
  }

  const findError = (field: string) => failure?.fields[field]?.[0]
  const isAtField = ['kind', 'title', 'file'].some(findError)
  return (
    <form method="post" noValidate className="max-w-md" onSubmit={add}>
      <SelectField label="Kind" name="kind" disabled={busy}>
        {documentKinds.map((kind) => (
          <option key={kind} value={kind}>
            {documentKindNames[kind]}
          </option>
        ))}
      </SelectField>
      <Field
        label="Title"
        name="title"
        maxLength={100}
        autoComplete="off"
        hint="Such as Mounting instructions"
        disabled={busy}
        error={findError('title')}
      />
      <Field
        label="PDF"
        name="file"
        type="file"
        accept=".pdf,application/pdf"
        disabled={busy}
        error={findError('file')}
        className="file-input w-full"
      />
      <p role="status" className={busy ? 'mb-4' : ''}>
        {busy && 'Uploading the document…'}
      </p>
      <FormError message={failure && !isAtField ? failure.message : undefined} />
      <SubmitButton busy={busy} className="">
        Add document
      </SubmitButton>
    </form>
  )
}

/** Throws an Error with a message for people. */
async function readForm(part: string, form: FormData): Promise<DocumentUpload> {
  const file = form.get('file') as File
  const [kind, title] = [form.get('kind') as DocumentUpload['kind'], `${form.get('title')}`]
  if (file.size > maxDocumentBytes) throw new ApiError(413, largeDocument, { file: [largeDocument] })
  return { part, kind, title, file: await readBase64(file) }
}
