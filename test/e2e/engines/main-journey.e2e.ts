import { cards, expect, newAccount, test } from '../shop.ts'
import { engines } from './engines.ts'
import { hub, openHydrated, register, seeHeading, seeText } from './steps.ts'

for (const { name, open } of engines) {
  for (const width of [360, 1280]) {
    test(`${name}, ${width} px wide, searches, fills the basket, registers, orders and pays`, async ({
      origin,
    }) => {
      const screen = await open({ width, height: 800 })
      try {
        await openHydrated(screen, `${origin}/parts`)
        await screen.fill('Search parts', 'fallow rear hub')
        await expect.poll(() => screen.run(() => location.search)).toBe('?q=fallow+rear+hub')
        await expect
          .poll(() => screen.run(() => document.querySelector('#found')?.textContent))
          .toBe('1 part')
        await screen.click('link', hub)
        await seeHeading(screen, hub)
        await screen.click('button', 'Add to basket')
        await seeText(screen, `Added to basket: 12 × ${hub}.`)
        await openHydrated(screen, `${origin}/basket`)
        await screen.fill(`Quantity of ${hub}`, '24')
        await seeText(screen, '$2,832')
        await screen.click('link', 'Login to order')
        await screen.click('link', 'Register')
        await register(screen, newAccount('Ida Renn'))
        await seeHeading(screen, 'Winged Wheels Manufacturer')
        await openHydrated(screen, `${origin}/basket`)
        await screen.fill('Address', '4 Canal Street, Bremen')
        await screen.fill('Phone Number', '01709876543')
        await screen.click('button', 'Place order')
        await screen.fill('Card number', cards.good)
        await screen.fill('Expiry', '12 / 34')
        await screen.fill('CVC', '123')
        await screen.click('button', 'Pay $2,832')
        await seeText(screen, 'Congratulations! Your Payment is completed.')
        const overflow = await screen.run(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow, 'pixels to the right of the window').toBeLessThanOrEqual(0)
      } finally {
        await screen.close()
      }
    })
  }
}
