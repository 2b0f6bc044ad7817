import { useState } from 'react'
import type { Path, UseFormReturn } from 'react-hook-form'
import { requestReset } from '#app/auth/auth.ts'
import type { useFormError } from '#app/ui/behaviour/form.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'

export function usePasswordReset<Form extends { email: string }>(
  { getValues, setFocus, trigger }: Pick<UseFormReturn<Form>, 'getValues' | 'setFocus' | 'trigger'>,
  formError: ReturnType<typeof useFormError>,
) {
  const [busy, setBusy] = useState(false)
  const field = 'email' as Path<Form>

  async function start() {
    if (busy) return
    setBusy(true)
    formError.clear()
    await send().catch(formError.show)
    setBusy(false)
  }

  async function send() {
    const email = getValues(field).trim()
    if (email === '') {
      showError(new Error('Please Enter Email Address!!'))
      return setFocus(field)
    }
    if (!(await trigger(field, { shouldFocus: true }))) return
    await requestReset(email)
    showToast('Reset Password Sent to Your Email!!')
  }

  return { busy, start }
}
