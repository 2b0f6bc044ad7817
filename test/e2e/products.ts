import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { apiClientOf } from './orders.ts'
import { accessToken, test as base, demoAdmin, expect, signInByApi, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

export const productAdded = 'Bicycle Product Added Successfully'

/** Deletes the parts that a test added, since other tests count the parts of the demo. */
export const test = base.extend<{ name: string }>({
  name: async ({ page, allowConsoleErrors }, use) => {
    // Playwright's trace tries to read the preview.
    allowConsoleErrors(/^Connecting to 'blob:/)
    const name = `Rotor ${uniqueWord()}`
    await use(name)
    await page.unrouteAll()
    const { token, found } = await page.evaluate(async (q) => {
      const token = localStorage.getItem('accessToken')
      const response = await fetch(`/api/part?${new URLSearchParams({ q })}`)
      return { token, found: (await response.json()) as { _id: string; name: string }[] }
    }, name)
    for (const part of found.filter((part) => part.name.startsWith(name))) {
      await page.request.delete(`/api/products/${part._id}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    }
  },
})

export async function openForm(page: Page) {
  await openAsAdmin(page, '/dashboard/addProduct')
  await expect(page.getByRole('heading', { name: 'Add a New Product' })).toBeVisible()
}

export async function openList(page: Page, q = '') {
  await openAsAdmin(page, `/dashboard/manageProducts${q && `?${new URLSearchParams({ q })}`}`)
  await expect(page.getByRole('table')).toBeVisible()
}

/** Opens a dashboard page, and signs in as an admin if nobody is. */
async function openAsAdmin(page: Page, url: string) {
  if ((await accessToken(page)) === undefined) await signInByApi(page, demoAdmin)
  await visit(page, url)
}

export async function fillProduct(page: Page, name: string) {
  for (const [label, value] of [
    ['Product Name', name],
    ['Short Description', 'Six-bolt rotor'],
    ['Description', 'Stops quietly.'],
    ['Minimum Quantity', '4'],
    ['Available Quantity', '100'],
    ['Price (in $)', '38'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByLabel('Photo file').setInputFiles(await createPicture())
}

/** Signs in as an admin and adds a part without opening a page: 100 in stock at $38 each. */
export async function addProductByApi(page: Page, name: string, category?: string) {
  if ((await accessToken(page)) === undefined) await signInByApi(page, demoAdmin)
  const { addPart, listProducts, readPart } = await apiClientOf(page)
  const { rows } = await listProducts({ body: { limit: 1 } })
  const body = {
    name,
    shortDescription: 'Six-bolt rotor',
    description: 'Stops quietly.',
    minQuantity: 4,
    availableQuantity: 100,
    perUnitPrice: 38,
    image: rows[0]!.image,
    category,
  }
  const { insertedId: partId } = await addPart({ body })
  return readPart({ params: { partId } })
}

/** A picture with noise: unique, and hardly compressible. */
export async function createPicture(width = 64) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width, height: width, channels: 3, background: '#888', noise } as const
  const buffer = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer()
  return { name: 'rotor.png', mimeType: 'image/png', buffer }
}
