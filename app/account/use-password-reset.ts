import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { requestReset } from '#app/auth/auth.ts'
import type { useFormError } from '#app/ui/form.ts'
import { showError, showToast } from '#app/ui/toast.ts'
import type { loginForm } from '#shop/users/user.ts'

type Form = Pick<UseFormReturn<z.input<typeof loginForm>>, 'getValues' | 'setFocus' | 'trigger'>

export function usePasswordReset(
  { getValues, setFocus, trigger }: Form,
  formError: ReturnType<typeof useFormError>,
) {
  const [busy, setBusy] = useState(false)

  async function start() {
    if (busy) return
    setBusy(true)
    formError.clear()
    await send().catch(formError.show)
    setBusy(false)
  }

  async function send() {
    const email = getValues('email').trim()
    if (email === '') {
      showError(new Error('Please Enter Email Address!!'))
      return setFocus('email')
    }
    if (!(await trigger('email', { shouldFocus: true }))) return
    await requestReset(email)
    showToast('Reset Password Sent to Your Email!!')
  }

  return { busy, start }
}
