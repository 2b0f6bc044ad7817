import type { Page } from '@playwright/test'
import { findChromium } from '#test/chromium.ts'
import { toBase64, triangle } from '#test/glb.ts'
import { createSignedInClient } from '#test/process.ts'
import {
  demoAdmin,
  expect,
  navigate,
  openPart,
  originOf,
  partNamed,
  signInByApi,
  test,
  visit,
} from './shop.ts'

test.use({
  launchOptions: {
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  },
})

const name = 'Quern Tapered Headset EC34/EC44'

function watchRequests(page: Page) {
  const seen: string[] = []
  page.on('request', (request) => seen.push(new URL(request.url()).pathname))
  return () => seen.filter((path) => /three|model/.test(path))
}

/** Keeps the canvas, which the page lets go. */
const keepCanvas = (page: Page) =>
  page.evaluate(() => Object.assign(window, { kept: document.querySelector('canvas') }))
const isLost = (page: Page) =>
  page.evaluate(() => {
    const { kept } = window as unknown as { kept: HTMLCanvasElement }
    return kept.getContext('webgl2')!.isContextLost()
  })

test('the viewer loads nothing before the click, turns by key, and frees the graphics card when it is left', async ({
  page,
}) => {
  const requests = watchRequests(page)
  await openPart(page, name)
  await page.waitForLoadState('networkidle')
  expect(requests()).toEqual([])

  const turn = page.getByRole('button', { name: 'Turn it' })
  await turn.click()
  const model = page.getByRole('application', { name: `Model of ${name}` })
  await expect(model).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'can be turned' })).toHaveCount(1)
  expect(requests().filter((path) => path.endsWith('.glb'))).toHaveLength(1)

  const before = await model.screenshot()
  for (const _ of 'turns') await page.keyboard.press('ArrowRight')
  await expect.poll(async () => before.equals(await model.screenshot())).toBe(false)
  await page.keyboard.press('0')
  await page.getByRole('button', { name: 'Dark background' }).click()
  await expect(page.getByRole('button', { name: 'Light background' })).toBeVisible()

  await keepCanvas(page)
  await page.getByRole('button', { name: 'Show photo' }).click()
  await expect(partNamed(page, name).getByRole('img', { name })).toBeVisible()
  expect(await isLost(page)).toBe(true)

  await turn.click()
  await expect(model).toBeFocused()
  await keepCanvas(page)
  await navigate(page, '/terms')
  expect(await isLost(page)).toBe(true)
})

test('without WebGL the photo stays with a sentence, and what fails to load can be tried again', async ({
  page,
  watch,
}) => {
  watch.expecting(/ERR_FAILED .*\/models\//)
  await page.route('**/models/*.glb', (route) => route.abort(), { times: 1 })
  await openPart(page, name)
  await page.getByRole('button', { name: 'Turn it' }).click()
  await expect(page.getByRole('alert')).toContainText('Check your connection')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('application')).toBeFocused()

  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await page.reload()
  await page.getByRole('button', { name: 'Turn it' }).click()
  await expect(page.getByRole('alert')).toContainText('This browser can’t show models')
  await expect(partNamed(page, name).getByRole('img', { name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('an admin uploads a model, is told why another cannot be used, and deletes it', async ({
  page,
  watch,
}) => {
  watch.expecting(/status of 400 .*\/api\/part-models/)
  const admin = await createSignedInClient(await originOf(page), demoAdmin)
  const { rows } = await admin.listProducts({ body: { limit: 1 } })
  const { _id: id, name: partName } = rows[0]!
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/manageProducts/${id}`)
  const file = (model: Uint8Array) => ({
    name: 'part.glb',
    mimeType: 'model/gltf-binary',
    buffer: Buffer.from(model),
  })
  const section = page.getByRole('region', { name: 'Model to turn' })
  await section
    .getByLabel('Another model')
    .setInputFiles(file(triangle({ buffers: [{ byteLength: 36, uri: 'a.bin' }] })))
  await section.getByRole('button', { name: 'Replace model' }).click()
  await expect(section.getByText('It refers to files outside of it.')).toBeVisible()
  await section.getByLabel('Another model').setInputFiles(file(triangle()))
  await section.getByRole('button', { name: 'Replace model' }).click()
  await expect(section.getByText('1 KB, 1 triangles')).toBeVisible()

  await section.getByRole('button', { name: 'Delete model' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete the model of ${partName}?` })
  await dialog.getByRole('button', { name: 'Delete model' }).click()
  await expect(section.getByRole('button', { name: 'Upload model' })).toBeVisible()
  const { model } = await admin.readModel({ params: { partId: id } })
  expect(model).toBeNull()
  await admin.uploadModel({ body: { part: id, file: toBase64(triangle()) } })
})
