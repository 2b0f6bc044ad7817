import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect } from 'react'
import { type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '#api/client.ts'
import { adminClient } from '#app/admin/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { FormError } from '#app/ui/form-error.tsx'
import {
  type Section,
  type SettingsChange,
  type StoredSettings,
  sectionLabels,
  settingsChange,
} from '#shop/settings/settings.ts'
import { LastChanged, lowerFirst } from './last-changed.tsx'

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
  onChange: (section: Section, isDirty: boolean) => void
  /** What the page can do with the form. */
  acts: (section: Section, acts: SectionActs) => void
}

export interface SectionActs {
  save: () => Promise<void>
  discard: () => void
}

export function SectionForm({ section, stored, fields: { intro, labels, show }, onChange, acts }: Props) {
  const form: SettingsForm = useForm<FieldValues, unknown, SettingsChange>({
    resolver: zodResolver(settingsChange as z.ZodType<SettingsChange, FieldValues>),
    mode: 'onChange',
    defaultValues: { ...stored.value, section, version: stored.version },
  })
  const draft = settingsDraft(section)
  useDraft(draft, form, withVersion)
  const { handleSubmit, reset, setError, setValue, formState } = form
  const { dirtyFields, isDirty } = formState
  const formError = useFormError<FieldValues>(setError, Object.keys(labels))

  useEffect(() => onChange(section, isDirty), [onChange, section, isDirty])
  // Over what is stored, so that it counts as changed; with the version that it was typed over.
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft<FieldValues>(draft) ?? {}))
      setValue(name, value, { shouldDirty: name !== 'version', shouldValidate: name !== 'version' })
  }, [draft, setValue])

  const submit = handleSubmit(async (values) => {
    formError.clear()
    const changed = Object.keys(labels).filter((name) => dirtyFields[name])
    try {
      const { version } = await adminClient.updateSettings({ body: values })
      reset({ ...values, version })
      clearDraft(draft)
      const names = changed.map((name) => lowerFirst(labels[name]!))
      showToast(`${sectionLabels[section]} saved${names.length > 0 ? `: ${names.join(', ')}` : ''}.`)
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
  }

  useEffect(() => acts(section, { save: submit, discard }))

  return (
    <section
      id={section}
      tabIndex={-1}
      aria-labelledby={`${section}-heading`}
      className="mb-12 scroll-mt-6 outline-none"
    >
      <h2 id={`${section}-heading`} className="text-xl">
        {sectionLabels[section]}
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-base-content/75">
        {`${intro} `}
        <LastChanged section={section} stored={stored} />
      </p>
      <form method="post" noValidate onSubmit={submit} className="max-w-3xl">
        {show(form)}
        <FormError message={formError.message} />
        {/* So that Enter saves the section, as the button of the page does. */}
        <button type="submit" hidden />
      </form>
    </section>
  )
}

const withVersion = ['version'] as const

export const settingsDraft = (section: Section) => `settings:${section}`
