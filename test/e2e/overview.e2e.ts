import type { Locator } from '@playwright/test'
import { placeOrders, placePaidOrder, registerApiCustomer } from './orders.ts'
import { demoAdmin, expect, navigate, signInByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('an admin follows figures of the overview to lists with as many rows, chooses a period and reads a chart as a table', async ({
  page,
  origin,
}) => {
  const customer = await registerApiCustomer(origin, 'Ida Renn')
  await placeOrders(customer, tube, [100])
  await placePaidOrder(customer, tube, 100)
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard/overview')
  for (const name of [
    /orders? awaiting payment/,
    /orders? to ship/,
    /unpaid orders? expires? within 24 hours/,
  ]) {
    const figure = page.getByRole('link', { name })
    const count = await numberIn(figure)
    await figure.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manages All Orders')
    await expect(
      page.getByText(`${count} ${count === 1 ? 'order' : 'orders'}`, { exact: true }),
    ).toBeVisible()
    await navigate(page, '/dashboard/overview')
  }

  await page.getByRole('link', { name: '12 weeks' }).click()
  await expect(page).toHaveURL('/dashboard/overview?period=12w')
  await expect(page.getByRole('link', { name: '12 weeks' })).toHaveAttribute('aria-current', 'page')
  const chart = page.getByRole('figure', { name: 'Orders paid by week' })
  await expect(chart.getByRole('img', { name: 'Bar chart: Orders paid by week' })).toBeVisible()
  await chart.getByText('Show as table').click()
  const thisWeek = chart.getByRole('row').last().getByRole('cell').first()
  const before = await numberIn(thisWeek)
  expect(before).toBeGreaterThan(0)
  await placePaidOrder(customer, tube, 100)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => numberIn(thisWeek)).toBeGreaterThan(before)
})

/** The first one of the text. */
async function numberIn(element: Locator) {
  return Number.parseInt((await element.textContent())!.replaceAll(',', ''), 10)
}
