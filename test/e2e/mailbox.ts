import { expect, type Page } from '@playwright/test'
import type { IdentitySettings } from '#shop/ports.ts'

export async function signInProvider(page: Page): Promise<IdentitySettings> {
  const html = await (await page.request.get('/login')).text()
  const [, settings] = /name="identity-provider" content="([^"]*)"/.exec(html)!
  return JSON.parse(settings!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** The newest password reset link sent to an email. */
export async function resetLink(page: Page, email: string): Promise<string> {
  const settings = await signInProvider(page)
  if (settings.kind === 'embedded') return linkInOutbox(page, email)

  const url = `${settings.emulator}/emulator/v1/projects/${settings.projectId}/oobCodes`
  const { oobCodes }: { oobCodes: OobCode[] } = await (await fetch(url)).json()
  const code = oobCodes.findLast((sent) => sent.email === email && sent.requestType === 'PASSWORD_RESET')
  expect(code, `a mail to ${email}`).toBeDefined()
  // The emulator's email template cannot be set to our page, as a live project's can.
  return `/reset-password?${new URLSearchParams({ mode: 'resetPassword', oobCode: code!.oobCode })}`
}

interface OobCode {
  email: string
  requestType: string
  oobCode: string
}

async function linkInOutbox(page: Page, email: string) {
  const outbox = await page.context().newPage()
  await outbox.goto(`/outbox?${new URLSearchParams({ q: email })}`)
  const link = outbox.getByRole('article').first().getByRole('link')
  const url = await link.first().getAttribute('href')
  await outbox.close()
  return url!
}

/** Continues on the simulated page of Google or GitHub; the emulator has none and signs in at once. */
export async function continueAtProvider(page: Page) {
  const settings = await signInProvider(page)
  if (settings.kind === 'embedded') await page.getByRole('button', { name: 'Continue', exact: true }).click()
}
