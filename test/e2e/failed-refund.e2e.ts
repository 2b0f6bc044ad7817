import { createSignedInClient } from '#test/process.ts'
import { placePaidOrder, registerApiCustomer } from './orders.ts'
import { definitionOf, demoAdmin, expect, signInByApi, test, visit } from './shop.ts'

// The test bank returns refunds of this card with its next job.
test.use({ settings: { JOB_INTERVAL: '1' } })

test('an admin counts a refund that the bank returned once it was made another way', async ({
  page,
  origin,
}) => {
  const customer = await registerApiCustomer(origin, 'Nora Lind')
  const order = await placePaidOrder(customer, 'Fallow Rear Hub 32H, 12 x 148 mm', 12, '4000000000005126')
  const admin = await createSignedInClient(origin, demoAdmin)
  const body = { amount: 500, reason: 'Two hubs were scratched', returned: 0 }
  await admin.refundPurchase({ params: { id: order._id }, body })
  await signInByApi(page, demoAdmin)
  const tasks = page.getByRole('region', { name: 'Needs your attention' })
  const task = tasks.locator('li').filter({ hasText: `#${order.number}` })
  await expect
    .poll(async () => {
      await visit(page, '/dashboard/manageAllOrders')
      return task.filter({ hasText: 'Refund failed' }).count()
    })
    .toBe(1)
  await page.reload()
  await tasks.getByText(/^1 task: Refund failed/).click()
  await task.getByRole('button', { name: 'Refunded another way' }).click()
  await page.getByRole('button', { name: 'Yes, count it as refunded' }).click()
  await expect(task.getByText('Resolved', { exact: true })).toBeVisible()
  await visit(page, `/dashboard/orders/${order._id}`)
  await expect(page.getByText(/Refunded another way/)).toBeVisible()
  await expect(await definitionOf(page.getByRole('article'), 'Refunded')).toHaveText('$500')
})
