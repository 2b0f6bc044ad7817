import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod'
import { ApiError, client } from '#app/client.ts'
import { clearDraft, idempotencyKeyFor } from '#app/drafts.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { listName, type SavedItem } from '#shop/basket/saved-list.ts'

const form = z.object({ name: listName })
export const saveListDraft = 'save list'

interface Props {
  items: SavedItem[]
  /** Prefilled. */
  name?: string | undefined
}

export function SaveList({ items, name = '' }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** A list of this name exists: asked again before it is replaced. */
  const [taken, setTaken] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(form),
    defaultValues: { name },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ name }) => {
    setFailure(undefined)
    const body = { name, items, replace: taken === name }
    try {
      await client.saveList({ body, key: idempotencyKeyFor(saveListDraft, body) })
      clearDraft(saveListDraft)
      dialog.current?.close()
      showToast(`Saved list: ${name}`, <Saved name={name} />, 'saved list')
    } catch (error) {
      const isTaken = error instanceof ApiError && error.fields.name !== undefined
      setTaken(isTaken ? name : undefined)
      setFailure(errorText(error))
    }
  })

  function open() {
    reset({ name })
    setTaken(undefined)
    setFailure(undefined)
    dialog.current?.showModal()
  }

  return (
    <>
      <button type="button" className="btn" onClick={open}>
        Save as list
      </button>
      <FormDialog ref={dialog} title="Save as list" onSubmit={submit} onClose={() => {}}>
        <Field
          label="Name of the list"
          placeholder="Winter stock"
          error={errors.name?.message}
          {...register('name', { onChange: () => setTaken(undefined) })}
        />
        <FormError message={failure} />
        <FormDialogActions
          label={taken === undefined ? 'Save list' : 'Replace list'}
          busy={isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}

function Saved({ name }: { name: string }) {
  return (
    <span>
      {`Saved list: ${name}.`}{' '}
      <Link to="/dashboard/lists" className="link">
        View saved lists
      </Link>
    </span>
  )
}
