import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useRef } from 'react'
import { type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { ApiError } from '#api/client.ts'
import { adminClient } from '#app/admin/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import {
  type Section,
  type SettingsChange,
  type StoredSettings,
  sectionLabels,
  settingsChange,
} from '#shop/settings/settings.ts'
import { LastChanged, lowerFirst } from './last-changed.tsx'
import { LeaveDialog, settingsDraft } from './leave-dialog.tsx'

export type SettingsForm = UseFormReturn<FieldValues, unknown, SettingsChange>

export interface SectionFields {
  /** What the section is for. */
  intro: string
  /** By field, as toasts name what changed. */
  labels: Record<string, string>
  show: (form: SettingsForm) => ReactNode
}

interface Props {
  section: Section
  stored: StoredSettings[Section]
  fields: SectionFields
}

export function SectionForm({ section, stored, fields: { intro, labels, show } }: Props) {
  const form: SettingsForm = useForm<FieldValues, unknown, SettingsChange>({
    resolver: zodResolver(settingsChange as z.ZodType<SettingsChange, FieldValues>),
    mode: 'onChange',
    defaultValues: { ...stored.value, section, version: stored.version },
  })
  const element = useRef<HTMLFormElement>(null)
  const draft = settingsDraft(section)
  useDraft(draft, form, withVersion)
  const { handleSubmit, reset, setError, setValue, formState } = form
  const { dirtyFields, isDirty, isSubmitting } = formState
  const formError = useFormError<FieldValues>(setError, Object.keys(labels))

  // Over what is stored, so that it counts as changed; with the version that it was typed over.
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft<FieldValues>(draft) ?? {}))
      setValue(name, value, { shouldDirty: name !== 'version', shouldValidate: name !== 'version' })
  }, [draft, setValue])

  const { revalidate } = useRevalidator()
  const submit = handleSubmit(async (values) => {
    formError.clear()
    const changed = Object.keys(labels).filter((name) => dirtyFields[name])
    try {
      const { version } = await adminClient.updateSettings({ body: values })
      reset({ ...values, version })
      clearDraft(draft)
      const names = changed.map((name) => lowerFirst(labels[name]!))
      showToast(`${sectionLabels[section]} saved${names.length > 0 ? `: ${names.join(', ')}` : ''}.`)
      await revalidate()
    } catch (error) {
      formError.show(error)
      // Saving again replaces what the errors show.
      if (error instanceof ApiError && error.status === 409)
        setValue('version', (await adminClient.readSettings())[section].version)
    }
  })

  function discard() {
    reset()
    clearDraft(draft)
    // The pressed button goes.
    element.current?.focus({ preventScroll: true })
  }

  return (
    <section aria-labelledby="section">
      <h2 id="section" className="text-xl">
        {sectionLabels[section]}
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-base-content/75">{intro}</p>
      <form ref={element} method="post" noValidate tabIndex={-1} className="outline-none" onSubmit={submit}>
        {show(form)}
        <FormError message={formError.message} />
        <div className={`flex flex-wrap gap-3 ${isDirty ? 'foot-bar' : 'pt-3'}`}>
          <SubmitButton busy={isSubmitting} className="w-full sm:w-auto">
            Save changes
          </SubmitButton>
          {isDirty && (
            <button type="button" className="btn max-sm:w-full" onClick={discard}>
              Discard changes
            </button>
          )}
        </div>
      </form>
      <p className="mt-4 text-sm text-base-content/75 empty:hidden">
        <LastChanged section={section} stored={stored} />
      </p>
      <LeaveDialog section={section} isUnsaved={isDirty} />
    </section>
  )
}

const withVersion = ['version'] as const
