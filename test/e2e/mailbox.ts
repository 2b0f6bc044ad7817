import { expect, type Page } from '@playwright/test'
import type { IdentitySettings } from '#shop/ports.ts'

/** The identity provider of the shop, as it tells every browser; whatever page is open. */
export async function signInProvider(page: Page): Promise<IdentitySettings> {
  const html = await (await page.request.get('/login')).text()
  const [, settings] = /name="identity-provider" content="([^"]*)"/.exec(html)!
  return JSON.parse(settings!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** The newest link for a new password that was mailed to this address. */
export async function resetLink(page: Page, email: string): Promise<string> {
  const settings = await signInProvider(page)
  if (settings.kind === 'embedded') return linkInOutbox(page, email)

  const address = `${settings.emulator}/emulator/v1/projects/${settings.projectId}/oobCodes`
  const { oobCodes }: { oobCodes: Mailed[] } = await (await fetch(address)).json()
  const mailed = oobCodes.findLast((code) => code.email === email && code.requestType === 'PASSWORD_RESET')
  expect(mailed, `a mail to ${email}`).toBeDefined()
  // In a live project its email template names our page; in the emulator it cannot be set.
  return `/reset-password?${new URLSearchParams({ mode: 'resetPassword', oobCode: mailed!.oobCode })}`
}

interface Mailed {
  email: string
  requestType: string
  oobCode: string
}

async function linkInOutbox(page: Page, email: string) {
  const outbox = await page.context().newPage()
  await outbox.goto(`/outbox?${new URLSearchParams({ q: email })}`)
  const link = outbox.getByRole('article').first().getByRole('link')
  const address = await link.first().getAttribute('href')
  await outbox.close()
  return address!
}

/**
 * Agrees on the page of Google or GitHub to be whom it suggests. With the emulator there is no such page: whoever presses
 * the button is that person at once.
 */
export async function consent(page: Page) {
  const settings = await signInProvider(page)
  if (settings.kind === 'embedded') await page.getByRole('button', { name: 'Continue', exact: true }).click()
}
