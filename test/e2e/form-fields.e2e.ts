import type { Page } from '@playwright/test'
import { placeOrders } from './orders.ts'
import { demoAdmin, expect, navigate, openPurchase, registerByApi, signInByApi, test, visit } from './shop.ts'

const partName = 'Trestle Platform Pedals, Pair'

interface Form {
  open: (page: Page) => Promise<unknown>
  fields: string[]
  button: string | RegExp
}

/** The order matters: the visitor becomes a customer, and then an admin. */
const forms: Record<string, Form> = {
  login: { open: (page) => visit(page, '/login'), fields: ['Email', 'Password'], button: 'Login' },
  registration: {
    open: (page) => navigate(page, '/registration'),
    fields: ['Name', 'Email', 'Password', 'Confirm Password'],
    button: 'Register',
  },
  contact: {
    open: (page) => navigate(page, '/'),
    fields: ['Your Name', 'Your Email', 'Your Phone', 'Your Message'],
    button: 'Send Message',
  },
  purchase: {
    open: (page) => registerByApi(page, 'Nele Vogt').then(() => openPurchase(page, partName)),
    fields: [
      'Name',
      'Email',
      'Part Name',
      'Country',
      'Address',
      'Postcode',
      'Town',
      'State',
      'Phone Number',
      'Quantity',
    ],
    button: 'Purchase',
  },
  payment: {
    open: async (page) => {
      const [order] = await placeOrders(page, partName, [24])
      await navigate(page, `/dashboard/payment/${order!._id}`)
    },
    fields: ['Card number', 'Expiry', 'CVC'],
    button: /^Pay \$[\d,]+$/,
  },
  review: {
    open: (page) => navigate(page, '/dashboard/addReview'),
    fields: ['Address', 'Review', '1 star', '2 stars', '3 stars', '4 stars', '5 stars'],
    button: 'Add Review',
  },
  profile: {
    open: (page) => navigate(page, '/dashboard/myProfile'),
    fields: ['Education', 'Address', 'Phone Number', 'Photo URL', 'LinkedIn'],
    button: 'Update Profile',
  },
  name: {
    open: async (page) => {
      await navigate(page, '/dashboard/myProfile')
      await page.getByRole('button', { name: 'Edit name' }).click()
    },
    fields: ['Display Name'],
    button: 'Save name',
  },
  product: {
    open: (page) => signInByApi(page, demoAdmin).then(() => page.goto('/dashboard/addProduct')),
    fields: [
      'Product Name',
      'Short Description',
      'Description',
      'Brand',
      'Category',
      'Minimum Quantity',
      'Available Quantity',
      'Price (in $)',
      'Part number',
      'Order in multiples of',
      'Carton size',
      'Reorder point',
      'Photo file',
      'Second photo',
      'Weight',
      'Tax class',
      'Country of origin',
      'HS code',
      'GTIN',
    ],
    button: 'Add Product',
  },
  restock: {
    open: async (page) => {
      await navigate(page, '/dashboard/manageProducts')
      await page.getByRole('button', { name: 'Restock' }).first().click()
    },
    fields: ['Quantity received'],
    button: 'Add to stock',
  },
}

test('each form field has a label, and each form has one submit button', async ({ page }) => {
  for (const [name, { open, fields, button }] of Object.entries(forms)) {
    await open(page)
    const submit = page.getByRole('button', { name: button, exact: true })
    const form = page.locator('form').filter({ has: submit })
    await expect(form.locator('[type=submit]'), name).toHaveCount(1)
    await expect(form.locator('input, textarea, select'), name).toHaveCount(fields.length)
    for (const label of fields) {
      const field = page.getByRole('main').getByLabel(label, { exact: true }).filter({ visible: true })
      await expect(field, `${name}: ${label}`).toHaveCount(1)
    }
  }
})
