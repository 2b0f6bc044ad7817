import { type ReactNode, useEffect, useState } from 'react'
import { adminClient } from '#app/admin/client.ts'
import { errorText } from '#app/ui/error-text.ts'
import { type MailKind, mailKinds } from '#shop/settings/mail-kinds.ts'
import type { MailPreview } from '#shop/settings/settings.ts'
import type { SettingsForm } from './section-form.tsx'

interface Props {
  form: SettingsForm
  kind: MailKind
  /** The fields. */
  children: ReactNode
}

/** The fields of an email and, once they are opened, the email beside them. */
export function PreviewedMail({ form, kind, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="border-b border-base-300 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer py-1 font-medium">{mailKinds[kind]}</summary>
      <div className="mt-2 grid gap-x-6 gap-y-2 md:grid-cols-2">
        <div>{children}</div>
        {open && <Preview form={form} kind={kind} />}
      </div>
    </details>
  )
}

function Preview({ form, kind }: Omit<Props, 'children'>) {
  const { preview, problem } = usePreview(form, kind)
  return (
    <section aria-label={`${mailKinds[kind]}: preview`} className="min-w-0 pb-3" aria-busy={!preview}>
      <p className="text-sm text-base-content/75">Preview, with a made-up order</p>
      <p className="mt-1 text-sm font-medium wrap-anywhere">{preview?.subject}</p>
      {problem && (
        <p role="alert" className="mt-1 text-sm text-error">
          {problem}
        </p>
      )}
      {/* Neither scripts nor links work in it. */}
      <iframe
        title={`${mailKinds[kind]}, as the customer gets it`}
        srcDoc={preview?.html ?? ''}
        sandbox=""
        className="mt-2 h-112 w-full border border-base-300 bg-white scheme-light"
      />
    </section>
  )
}

const pauseMs = 400

/** Follows what is typed, whenever it pauses. */
function usePreview(form: SettingsForm, kind: MailKind) {
  const [preview, setPreview] = useState<MailPreview>()
  const [problem, setProblem] = useState<string>()
  const [above = '', below = '', senderName = ''] = form.watch([
    `${kind}.above`,
    `${kind}.below`,
    'senderName',
  ]) as string[]
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const shown = await adminClient.previewEmail({ body: { kind, above, below, senderName } })
        if (controller.signal.aborted) return
        setPreview(shown)
        setProblem(undefined)
      } catch (error) {
        if (!controller.signal.aborted) setProblem(errorText(error))
      }
    }, pauseMs)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [kind, above, below, senderName])
  return { preview, problem }
}
