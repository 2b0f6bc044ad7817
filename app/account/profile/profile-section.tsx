import { type FormEventHandler, type ReactNode, useId } from 'react'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'

interface Props {
  title: string
  button: string
  busy: boolean
  disabled: boolean
  message: string | undefined
  /** Undefined before the first save. */
  isSaved: boolean | undefined
  intro?: string
  onSubmit: FormEventHandler
  children: ReactNode
}

/** Is saved alone: what fails here changes nothing in the others. */
export function ProfileSection({
  title,
  button,
  busy,
  disabled,
  message,
  isSaved,
  intro,
  onSubmit,
  children,
}: Props) {
  const id = useId()
  return (
    <form method="post" noValidate aria-labelledby={id} onSubmit={onSubmit}>
      <h2 id={id}>{title}</h2>
      <p className="mt-1 text-base-content/75 empty:hidden">{intro}</p>
      <div className="mt-3 grid grid-cols-2 items-start gap-x-4 sm:gap-x-6">{children}</div>
      <FormError message={message} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SubmitButton busy={busy} disabled={disabled} className="max-sm:w-full sm:min-w-48">
          {button}
        </SubmitButton>
        {isSaved !== undefined && (
          <p className="text-sm text-base-content/75">{isSaved ? 'All changes saved' : 'Unsaved changes'}</p>
        )}
      </div>
    </form>
  )
}
