import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { openNewPayment, openNextPayment } from './orders.ts'
import { cards, expect, expectMessage, expectRedBelow, fillCard, registerByApi, test } from './shop.ts'

test.beforeEach(async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
})

test('the card form formats typed and pasted input, keeps the caret position, validates on blur, not while typing, shows each error under its field and focuses the first one', async ({
  page,
  context,
}) => {
  await expectAutofillAttributes(page)
  await expectValidationOnBlur(page)
  await expectGroupedDigits(page)
  await expectPasteFormatted(page, context)
  await page.getByLabel('Card number').clear()
  await expectCaretPosition(page)
  await page.getByLabel('Expiry').clear()
  await expectExpirySlash(page)
  await expectExpiryFormats(page)

  for (const label of ['Card number', 'Expiry']) await page.getByLabel(label).clear()
  const button = page.getByRole('button', { name: 'Pay $300' })
  let confirmRequests = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) confirmRequests++
  })
  await button.click()
  await expectMessage(page, 'Card number', 'Card number is required')
  await expectMessage(page, 'Expiry', 'Expiry is required')
  await expectMessage(page, 'CVC', 'CVC is required')
  const number = page.getByLabel('Card number')
  await expect(number).toBeFocused()
  await expect(number).toHaveAttribute('aria-invalid', 'true')

  await number.fill('4242 4242')
  await expectMessage(page, 'Card number', 'Card number is too short')
  await number.fill('4242 4242 4242 4241')
  await expectMessage(page, 'Card number', 'Card number is invalid')
  await number.fill(cards.good)
  await expect(number).toHaveAccessibleDescription('Visa')
  const expiry = page.getByLabel('Expiry')
  for (const [input, message] of [
    ['12', 'Enter a month and year, such as 04 / 31'],
    ['00/34', 'Month must be 01 to 12'],
    ['12/24', 'This card has expired'],
    ['12/99', 'Year is too far in the future'],
  ] as const) {
    await expiry.fill(input)
    await expectMessage(page, 'Expiry', message)
  }
  await page.getByLabel('CVC').fill('12')
  await expectMessage(page, 'CVC', 'CVC must be 3 digits')
  await button.click()
  await expect(expiry).toBeFocused()
  await expectAccessible(page, 'the card form with mistakes')
  await expectFourDigitCvc(page, button)
  expect(confirmRequests).toBe(0)
})

async function expectGroupedDigits(page: Page) {
  const number = page.getByLabel('Card number')
  for (const [input, formatted, brand] of [
    ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242', 'Visa'],
    ['424242424242424299', '4242 4242 4242 4242', 'Visa'],
    ['5555555555554444', '5555 5555 5555 4444', 'Mastercard'],
    ['2223003122003222', '2223 0031 2200 3222', 'Mastercard'],
    ['378282246310005', '3782 822463 10005', 'American Express'],
    ['6011111111111117', '6011 1111 1111 1117', 'Discover'],
    ['6200000000000005', '6200 0000 0000 0005', 'UnionPay'],
  ] as const) {
    await number.clear()
    await number.pressSequentially(input)
    await expect(number, input).toHaveValue(formatted)
    await expect(number, input).toHaveAccessibleDescription(brand)
    await number.press('Tab')
    await expect(number, input).not.toHaveAttribute('aria-invalid')
  }
}

async function expectPasteFormatted(page: Page, context: BrowserContext) {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const number = page.getByLabel('Card number')
  for (const text of ['4242 4242 4242 4242', ' 4242-4242-4242-4242\n', '4242424242424242']) {
    await number.clear()
    await paste(page, number, text)
    await expect(number, text).toHaveValue('4242 4242 4242 4242')
  }
  await paste(page, page.getByLabel('Expiry'), '12/2034')
  await expect(page.getByLabel('Expiry')).toHaveValue('12 / 34')
}

async function expectCaretPosition(page: Page) {
  const number = page.getByLabel('Card number')
  await number.pressSequentially('4242424242')
  await expect(number).toHaveValue('4242 4242 42')
  await setCaret(number, 4)
  await page.keyboard.type('7')
  await expect(number).toHaveValue('4242 7424 242')
  expect(await caretPosition(number)).toBe(6)
  await page.keyboard.type('89')
  await expect(number).toHaveValue('4242 7894 2424 2')
  expect(await caretPosition(number)).toBe(8)

  // Backspace and Delete next to a space remove the adjacent digit.
  for (const _ of 'abc') await page.keyboard.press('Backspace')
  await expect(number).toHaveValue('4242 4242 42')
  expect(await caretPosition(number)).toBe(4)
  await setCaret(number, 5)
  await page.keyboard.press('Backspace')
  await expect(number).toHaveValue('4244 2424 2')
  expect(await caretPosition(number)).toBe(3)
  await setCaret(number, 4)
  await page.keyboard.press('Delete')
  await expect(number).toHaveValue('4244 4242')
  expect(await caretPosition(number)).toBe(4)
}

async function expectExpirySlash(page: Page) {
  const expiry = page.getByLabel('Expiry')
  await expiry.press('1')
  await expect(expiry).toHaveValue('1')
  await expiry.press('2')
  await expect(expiry).toHaveValue('12 / ')
  await expiry.press('3')
  await expect(expiry).toHaveValue('12 / 3')
  await expiry.press('Backspace')
  await expect(expiry).toHaveValue('12 / ')
  await expiry.press('Backspace')
  await expect(expiry).toHaveValue('1')
  await expiry.press('Backspace')
  await expect(expiry).toHaveValue('')
  await expiry.press('7')
  await expect(expiry).toHaveValue('07 / ')
}

async function expectExpiryFormats(page: Page) {
  const expiry = page.getByLabel('Expiry')
  for (const input of ['0130', '130', '1/30', '01/30', '01 / 30', '01/2030', '012030']) {
    await expiry.clear()
    await expiry.pressSequentially(input)
    await expect(expiry, input).toHaveValue('01 / 30')
  }
}

async function expectValidationOnBlur(page: Page) {
  const number = page.getByLabel('Card number')
  await number.focus()
  await number.press('Tab')
  await expect(number).not.toHaveAttribute('aria-invalid')
  await number.pressSequentially('4242')
  await expect(number).not.toHaveAttribute('aria-invalid')
  await number.press('Tab')
  await expectMessage(page, 'Card number', 'Card number is too short')
  await number.press('End')
  await number.pressSequentially('424242424242')
  await expect(number).not.toHaveAttribute('aria-invalid')
}

/** American Express cards only. */
async function expectFourDigitCvc(page: Page, button: Locator) {
  const cvc = page.getByLabel('CVC')
  await cvc.clear()
  await page.getByLabel('Card number').fill('378282246310005')
  await cvc.pressSequentially('12345')
  await expect(cvc).toHaveValue('1234')
  await page.getByLabel('Card number').fill(cards.good)
  await page.getByLabel('Expiry').fill('12 / 34')
  await button.click()
  await expectMessage(page, 'CVC', 'CVC must be 3 digits')
  await expect(cvc).toBeFocused()
}

async function expectAutofillAttributes(page: Page) {
  for (const [label, autocomplete, enterKeyHint] of [
    ['Card number', 'cc-number', 'next'],
    ['Expiry', 'cc-exp', 'next'],
    ['CVC', 'cc-csc', 'done'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await expect(field).toHaveAttribute('autocomplete', autocomplete)
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expect(field).toHaveAttribute('enterkeyhint', enterKeyHint)
  }
}

test('test cards chosen by keyboard fill the form, a declined one shows its reason in red and keeps the input, another number is rejected, and what the browser autofills pays', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 402 .*\/confirm/)
  await expect(page.getByText('Test mode.')).toBeVisible()
  const list = page.getByText('Test cards', { exact: true })
  await expect(page.getByRole('button', { name: /4242 4242/ })).toBeHidden()
  await list.press('Enter')
  await expectAccessible(page, 'the test cards')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Succeeds 4242 4242 4242 4242' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Card number')).toHaveValue('3782 822463 10005')
  await expect(page.getByLabel('CVC')).toHaveValue('1234')
  await expect(page.getByRole('button', { name: /4242 4242/ })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()

  await openNextPayment(page)
  const button = page.getByRole('button', { name: 'Pay $300' })
  for (const [card, number, reason] of [
    ['Declined', '4000 0000 0000 0002', 'Your card was declined.'],
    ['Insufficient funds', '4000 0000 0000 9995', 'Your card has insufficient funds.'],
    ['Expired card', '4000 0000 0000 0069', 'Your card has expired.'],
    ['Incorrect CVC', '4000 0000 0000 0127', "Your card's security code is incorrect."],
    [
      'Processing error',
      '4000 0000 0000 0119',
      'An error occurred while processing your card. Try again in a little bit.',
    ],
  ] as const) {
    await page.getByText('Test cards', { exact: true }).click()
    await page.getByRole('button', { name: `${card} ${number}`, exact: true }).click()
    await button.click()
    await expectRedBelow(page.getByRole('alert').filter({ hasText: reason }), button)
    await expect(page.getByLabel('Card number')).toHaveValue(number)
    await expect(page.getByLabel('CVC')).toHaveValue('123')
    await expect(button).toBeFocused()
  }

  await fillCard(page, '4012 8888 8888 1881')
  await button.click()
  await expect(page.getByRole('alert').filter({ hasText: 'test' })).toBeVisible()

  // fill() sets the whole value and fires its events, like Chromium autofill.
  await page.getByLabel('Card number').fill('5555555555554444')
  await page.getByLabel('Expiry').fill('07/2034')
  await page.getByLabel('CVC').fill('123')
  await expect(page.getByLabel('Card number')).toHaveValue('5555 5555 5555 4444')
  await expect(page.getByLabel('Expiry')).toHaveValue('07 / 34')
  await page.getByLabel('CVC').press('Enter')
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
})

async function paste(page: Page, field: Locator, text: string) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text)
  await field.focus()
  await page.keyboard.press('ControlOrMeta+v')
}

function setCaret(field: Locator, position: number) {
  return field.evaluate(
    (input: HTMLInputElement, position) => input.setSelectionRange(position, position),
    position,
  )
}

function caretPosition(field: Locator) {
  return field.evaluate((input: HTMLInputElement) => input.selectionStart)
}
