import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { useSession } from '#app/auth/session.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { keepFocus, useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { type Customer, type Note, type NoteForm, noteForm } from '#shop/customers/customer.ts'

export function CustomerNotes({ customer: { _id, notes } }: { customer: Customer }) {
  return (
    <section aria-labelledby="notes">
      <h2 id="notes" className="text-base">
        Notes
      </h2>
      <p className="mb-2 text-sm text-base-content/75">Only admins see them.</p>
      <AddNote key={_id} id={_id} />
      <ol className="mt-4 divide-y divide-base-300 border-t border-base-300 empty:hidden">
        {notes.map((note) => (
          <NamedRow key={note._id} name={`note “${shorten(note)}”`}>
            <NoteItem note={note} />
          </NamedRow>
        ))}
      </ol>
    </section>
  )
}

function AddNote({ id }: { id: string }) {
  const draft = `note:${id}`
  const form = useForm<NoteForm>({
    resolver: zodResolver(noteForm),
    defaultValues: { text: '', ...readDraft<NoteForm>(draft) },
  })
  useDraft(draft, form)
  const { revalidate } = useRevalidator()
  const { register, handleSubmit, reset, setError, formState } = form
  const formError = useFormError(setError, ['text'])

  const submit = handleSubmit(async (body, event) => {
    formError.clear()
    try {
      await adminClient.addCustomerNote({ params: { id }, body, key: idempotencyKeyFor(draft, body) })
      keepFocus(event)
      clearDraft(draft)
      reset({ text: '' })
      showToast('Note added')
      await revalidate()
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <form method="post" noValidate tabIndex={-1} className="outline-none" onSubmit={submit}>
      <TextField
        label="New note"
        optional
        rows={2}
        error={formState.errors.text?.message}
        {...register('text')}
      />
      <FormError message={formError.message} />
      <SubmitButton quiet busy={formState.isSubmitting} className="btn-sm">
        Add note
      </SubmitButton>
    </form>
  )
}

function shorten({ text }: Note) {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function NoteItem({ note }: { note: Note }) {
  const { _id, text, by, createdAt, editedAt } = note
  const session = useSession()
  const { busy, run } = useAction()
  const params = { id: _id }
  return (
    <li tabIndex={-1} className="py-3 outline-offset-2">
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      <p className="mt-1 text-sm text-base-content/75">
        {`${by.name}, `}
        <DateTime at={createdAt} />
        {editedAt && ', edited'}
      </p>
      {by.email === session?.email && (
        <div className="mt-2 flex gap-2">
          <DialogForm
            button={{ label: 'Edit', className: 'btn btn-sm', ariaLabel: `Edit note “${shorten(note)}”` }}
            title="Edit note"
            schema={noteForm}
            initial={{ text }}
            fields={[{ name: 'text', label: 'Note', rows: 5 }]}
            action="Save note"
            send={async ({ body }) => {
              await adminClient.updateCustomerNote({ params, body })
              return 'Note changed'
            }}
          />
          <ConfirmButton
            label="Delete"
            busy={busy}
            question={`Delete the note “${shorten(note)}”?`}
            action="Delete note"
            dismiss="Keep note"
            onConfirm={() => run('Note deleted', () => adminClient.deleteCustomerNote({ params }))}
          />
        </div>
      )}
    </li>
  )
}
