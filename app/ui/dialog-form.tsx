import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DefaultValues, type FieldValues, get, type Path, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { ApiError, isOutage } from '#app/client.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { usePendingRequest } from '#app/ui/behaviour/pending-request.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { useFocusRestore } from '#app/ui/behaviour/use-action.ts'
import { useRowLabel } from '#app/ui/table/row-name.tsx'
import { Field, TextField } from './field.tsx'
import { FormDialog, FormDialogActions } from './form-dialog.tsx'
import { FormError } from './form-error.tsx'

interface DialogField<Name> {
  name: Name
  label: string
  /** Of what is entered, when it says what becomes of it. */
  hint?: string | ((value: string) => string)
  optional?: boolean
  type?: 'date'
  inputMode?: 'numeric'
  maxLength?: number
  /** Of a text of several lines. */
  rows?: number
}

interface Props<In extends FieldValues, Out> {
  /** Opens the dialog. */
  button: { label: string; className: string; ariaLabel?: string }
  title: string
  intro?: ReactNode
  schema: z.ZodType<Out, In>
  initial: DefaultValues<In>
  fields: DialogField<Path<In>>[]
  /** On the button that sends the form. */
  action: string
  /** For what must not take effect twice: shown when other values are sent while it is unknown whether the first have arrived. */
  unknownOutcome?: string
  /** Returns the toast. Repeated under the same key until the outcome is known. */
  send: (request: { body: Out; key: string }) => Promise<string>
  onDone?: () => void
}

/** A button and the form that it opens. */
export function DialogForm<In extends FieldValues, Out extends object>(props: Props<In, Out>) {
  const { button, title, intro, fields, action } = props
  const { dialog, wasOpened, form, message, open, submit, handleClose } = useDialogForm(props)
  const { errors, isSubmitting } = form.formState
  const rowLabel = useRowLabel(button.label)
  return (
    <>
      <button
        type="button"
        className={button.className}
        aria-label={button.ariaLabel ?? rowLabel}
        onClick={open}
      >
        {button.label}
      </button>
      <FormDialog ref={dialog} title={title} onSubmit={submit} onClose={handleClose}>
        {intro}
        {/* A list has one such form per row. */}
        {(wasOpened ? fields : []).map(({ name, type, inputMode, rows, hint, ...field }) => {
          const { message: error } = (get(errors, name) ?? {}) as { message?: string }
          const text = typeof hint === 'function' ? hint(form.watch(name)) : hint
          const common = { ...field, hint: text, error, ...form.register(name) }
          return rows === undefined ? (
            <Field
              key={name}
              autoComplete="off"
              type={type}
              inputMode={inputMode}
              // What is typed replaces the number.
              onFocus={({ target }) => inputMode === 'numeric' && target.select()}
              {...common}
            />
          ) : (
            <TextField key={name} rows={rows} {...common} />
          )
        })}
        <FormError message={message ?? errors.root?.message} />
        <FormDialogActions label={action} busy={isSubmitting} onCancel={() => dialog.current?.close()} />
      </FormDialog>
    </>
  )
}

function useDialogForm<In extends FieldValues, Out extends object>(props: Props<In, Out>) {
  const { schema, initial, fields, unknownOutcome, send, onDone } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [wasOpened, setWasOpened] = useState(false)
  const { revalidate } = useRevalidator()
  const form = useForm<In, unknown, Out>({ resolver: zodResolver(schema), defaultValues: initial })
  const { handleSubmit, reset, setError, formState } = form
  useReloadedValues(form, initial)
  const names = fields.map(({ name }) => name)
  const formError = useFormError(setError, names)
  const rememberButton = useFocusRestore()
  const pendingRequest = usePendingRequest<Out>()

  function open() {
    flushSync(() => setWasOpened(true))
    if (!formState.isSubmitting) {
      formError.clear()
      reset(initial)
    }
    rememberButton()
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async (body) => {
    formError.clear()
    if (pendingRequest.otherThan(body)) {
      if (unknownOutcome) return formError.show(new Error(unknownOutcome))
      pendingRequest.clear()
    }
    try {
      const toast = await send(pendingRequest.start(body))
      dialog.current?.close()
      onDone?.()
      showToast(toast)
    } catch (error) {
      formError.show(error)
      const closed = !dialog.current?.open
      if (isOutage(error) && !closed) return
      const isMissing = error instanceof ApiError && error.status === 404
      if (closed || isMissing) showError(error)
    }
    pendingRequest.clear()
    // Not awaited: the form may be opened again before.
    revalidate()
  })

  /** After a lost response, show what is there. */
  function handleClose() {
    if (!formState.isSubmitting && pendingRequest.clear()) revalidate()
  }

  return { dialog, wasOpened, form, message: formError.message, open, submit, handleClose }
}
