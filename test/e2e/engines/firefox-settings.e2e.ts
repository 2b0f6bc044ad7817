import { demoCustomer, expect, test } from '../shop.ts'
import { findFirefox, openFirefox } from './firefox.ts'
import { hub, openHydrated, seeHeading, seeText } from './steps.ts'

if (findFirefox()) {
  test('Firefox that blocks site data shows the catalogue and says what it blocks', async ({ origin }) => {
    const screen = await openFirefox({ preferences: { 'network.cookie.cookieBehavior': 2 } })
    const message = 'Your browser blocks this shop’s site data.'
    try {
      await openHydrated(screen, `${origin}/parts?q=fallow+rear+hub`)
      await screen.click('link', hub)
      await seeHeading(screen, hub)
      await screen.click('button', 'Add to basket')
      await seeText(screen, message)
      await openHydrated(screen, `${origin}/basket`)
      await seeText(screen, message)
      await openHydrated(screen, `${origin}/login`)
      await seeText(screen, message)
      await screen.fill('Email', demoCustomer.email)
      await screen.fill('Password', demoCustomer.password)
      await screen.click('button', 'Login')
      await seeText(screen, 'Your browser blocked our cookies.')
      expect(await screen.run(() => document.body.textContent)).not.toContain('Application Error')
    } finally {
      await screen.close()
    }
  })

  test('Firefox shows the filters of the address after a reload', async ({ origin }) => {
    const screen = await openFirefox()
    const readChecked = () =>
      screen.run(() =>
        [...document.querySelectorAll<HTMLInputElement>('#filters input:checked')]
          .map(({ name, value }) => `${name}=${value}`)
          .join(' '),
      )
    try {
      await openHydrated(screen, `${origin}/parts`)
      await screen.run(() => document.querySelector<HTMLElement>('#filters [name=available]')!.click())
      await expect.poll(() => screen.run(() => location.search)).toBe('?available=true')
      await screen.run(() => document.querySelector<HTMLElement>('#filters [name=category]')!.click())
      await expect.poll(() => screen.run(() => location.search)).toContain('category=')
      const [search, checked] = [await screen.run(() => location.search), await readChecked()]
      await screen.reload()
      await expect.poll(() => screen.run(() => Object.keys(document.body).length)).toBeGreaterThan(0)
      expect([await screen.run(() => location.search), await readChecked()]).toEqual([search, checked])
      await openHydrated(screen, `${origin}/parts?q=chain`)
      expect(await screen.run(() => location.search)).toBe('?q=chain')
    } finally {
      await screen.close()
    }
  })

  test('a quantity field takes grouped digits and spaces in Firefox', async ({ origin }) => {
    const screen = await openFirefox()
    try {
      await openHydrated(screen, `${origin}/parts?q=fallow+rear+hub`)
      await screen.click('link', hub)
      await seeHeading(screen, hub)
      for (const typed of [' 24 ', '24.0']) {
        await screen.fill('Quantity', typed)
        await seeText(screen, 'Total $2,832')
      }
      await screen.fill('Quantity', '1,200')
      await seeText(screen, "can't be higher than")
    } finally {
      await screen.close()
    }
  })
}
