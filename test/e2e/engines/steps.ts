import { type Account, expect } from '../shop.ts'
import type { Screen } from './screen.ts'

export const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

export async function seeHeading(screen: Screen, text: string) {
  await expect.poll(() => screen.run(() => document.querySelector('main h1')?.textContent)).toBe(text)
}

export async function seeText(screen: Screen, text: string) {
  await expect.poll(() => screen.run(() => document.body.textContent)).toContain(text)
}

/** So that what is typed is not lost while React takes over the page. */
export async function openHydrated(screen: Screen, url: string) {
  await screen.open(url)
  await expect
    .poll(() => screen.run(() => Object.keys(document.body).some((key) => key.startsWith('__reactProps'))))
    .toBe(true)
}

/** Leads to where the form was asked for. */
export async function register(screen: Screen, { name, email, password }: Account) {
  await seeHeading(screen, 'Register with Winged Wheels')
  await screen.fill('Name', name)
  await screen.fill('Email', email)
  await screen.fill('Password', password)
  await screen.fill('Confirm Password', password)
  await screen.click('button', 'Register')
}
