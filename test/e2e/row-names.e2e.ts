import type { Page } from '@playwright/test'
import {
  apiClientOf,
  placeOrderOfSeveral,
  placeOrders,
  placePaidOrder,
  registerApiCustomer,
} from './orders.ts'
import { demoAdmin, expect, navigate, originOf, signInByApi, test, visit } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

/** Controls of rows that are called as one of another row that does something else, or whose visible text does not begin their name. */
function findUnclearControls(page: Page) {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('main tbody tr, main li:has(button)')]
    const problems: string[] = []
    const rowOf = new Map<string, { row: Element; target: string }>()
    for (const row of rows) {
      for (const control of row.querySelectorAll<HTMLElement>('button, a[href], input, select, summary')) {
        if (control.closest('dialog') || control.getClientRects().length === 0) continue
        const text = control.textContent.trim()
        const [label] = (control as HTMLInputElement).labels ?? []
        const name = (control.getAttribute('aria-label') ?? (text || label?.textContent || '')).trim()
        if (!name.startsWith(text)) problems.push(`“${text}” is called “${name}”`)
        const target = control.getAttribute('href') ?? ''
        const other = rowOf.get(name)
        if (other && other.row !== row && !(target && other.target === target)) problems.push(name)
        rowOf.set(name, { row, target })
      }
    }
    return { problems, names: [...rowOf.keys()] }
  })
}

async function expectClearControls(page: Page, path: string, control: RegExp) {
  await navigate(page, path)
  await expect
    .poll(async () => (await findUnclearControls(page)).names.filter((name) => control.test(name)).length)
    .toBeGreaterThan(1)
  expect((await findUnclearControls(page)).problems, path).toEqual([])
}

test('controls of rows name their row, on all screens of customers and admins', async ({ page }) => {
  test.slow()
  const origin = await originOf(page)
  const customer = await registerApiCustomer(origin, 'Nele Vogt')
  await placeOrders(customer, ring, [48, 49])
  await placeOrderOfSeveral(customer, 3)
  await placePaidOrder(customer, ring, 50)
  await placePaidOrder(customer, ring, 51)
  const client = await apiClientOf(customer)
  const { rows: parts } = await client.listParts({ body: { limit: 3 } })
  const items = parts.map(({ _id: partId, minQuantity: quantity }) => ({ partId, quantity }))
  await client.saveList({ body: { name: 'Winter', items } })
  await client.saveList({ body: { name: 'Spring', items } })

  await signInByApi(page, customer)
  await visit(page, '/dashboard')
  await expectClearControls(page, '/dashboard/myOrders', /^Delete, /)
  await expectClearControls(page, '/dashboard/lists', /^Delete, /)
  for (const part of parts) {
    await navigate(page, `/parts/${part._id}`)
    await page.getByRole('article').first().getByRole('button', { name: 'Add to basket' }).click()
    await expect(page.getByRole('alert').filter({ hasText: part.name })).toBeVisible()
  }
  await expectClearControls(page, '/basket', /^Decrease quantity, /)

  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard')
  await expectClearControls(page, '/dashboard?role=customer', /^Make Admin, /)
  await expectClearControls(page, '/dashboard/manageProducts', /^Restock, /)
  await expectClearControls(page, '/dashboard/manageAllOrders?q=Nele', /^Delete, /)
  await expectClearControls(page, '/dashboard/manageAllOrders?status=pending&q=Nele', /^Pending, /)
  await expectClearControls(page, '/dashboard/reviews', /^Hide, /)
})
