import { expect, newAccount, test } from '../shop.ts'
import { engines } from './engines.ts'
import { openHydrated, register, seeHeading } from './steps.ts'

for (const { name, open } of engines) {
  test(`${name} shows no private page after Log Out and Back, and keeps one before`, async ({ origin }) => {
    const screen = await open()
    try {
      const account = newAccount('Ida Renn')
      await openHydrated(screen, `${origin}/registration`)
      await register(screen, account)
      await seeHeading(screen, 'Winged Wheels Manufacturer')
      // A browser keeps no page that still waits for an answer, so a slow machine may need another visit.
      await expect(async () => {
        await openHydrated(screen, `${origin}/dashboard/myProfile`)
        await seeHeading(screen, 'My Profile')
        await screen.run(() => void Object.assign(window, { isRestored: true }))
        await openHydrated(screen, `${origin}/terms`)
        await screen.back()
        await seeHeading(screen, 'My Profile')
        expect(await screen.run(() => 'isRestored' in window), 'whether the cache showed it').toBe(true)
      }).toPass()
      expect(await screen.run(() => getComputedStyle(document.body).visibility)).toBe('visible')

      await openHydrated(screen, `${origin}/terms`)
      await screen.click('button', 'Log Out')
      await seeHeading(screen, 'Winged Wheels Manufacturer')
      await screen.back()
      await seeHeading(screen, 'Terms of sale')
      await screen.back()
      await seeHeading(screen, 'Login to Winged Wheels')
      expect(await screen.run(() => document.body.innerHTML)).not.toContain(account.email)
    } finally {
      await screen.close()
    }
  })
}
