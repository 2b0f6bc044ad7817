import { openBucket, openImgbb } from '#test/image-hosts.ts'
import { accessTokenOf, emptyFolder } from '#test/process.ts'
import { added, fillProduct, openForm, picture } from './products.ts'
import { endShopsAfterEach, run } from './running.ts'
import { demoAdmin, expect, openPart, test, toast } from './shop.ts'

endShopsAfterEach()

test('a shop with a bucket keeps its pictures there, and an upload that the bucket does not take can be tried again', async ({
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 503 .*\/images\/upload/)
  expectTrouble(/^Connecting to 'blob:/)
  const name = 'Rotor in a bucket'
  const bucket = await openBucket()
  const { bucket: S3_BUCKET, accessKeyId, secretAccessKey, endpoint } = bucket.settings
  const keys = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
  const settings = { DEMO: 'on', S3_BUCKET, ...keys, S3_ENDPOINT: endpoint }
  const shop = await run({ DATA_DIR: emptyFolder(), ...settings })
  const page = await anotherBrowser({ baseURL: shop.origin })

  await openForm(page)
  await fillProduct(page, name)
  await bucket.suffer('answers 500')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const reason = page.getByRole('alert').filter({ hasText: 'The pictures cannot be reached.' })
  await expect(reason).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue(name)

  await bucket.suffer(null)
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(toast(page, added)).toBeVisible()
  await openPart(page, name)
  const shown = page.getByRole('article').getByRole('img').first()
  await expect(shown).not.toHaveJSProperty('naturalWidth', 0)
  const [hash] = /[0-9a-f]{32}/.exec((await shown.getAttribute('src'))!)!
  const objects = (await bucket.objects()).filter((object) => object.includes(hash))
  expect(objects).toContain(`images/${hash}.webp`)
  expect(objects).toContain(`images/${hash}-320.jpg`)

  const another = await run({ DATA_DIR: emptyFolder(), ...settings })
  expect(await another.ended).toBe(1)
  expect(another.printed()).toContain('S3_BUCKET: The pictures there are those of another shop.')
  await bucket.stop()
})

test('a shop with an image host keeps its pictures there, and answers an upload with the address there', async ({
  anotherBrowser,
  request,
}) => {
  const host = await openImgbb()
  const { key, uploadUrl } = host.settings
  const imgbb = { IMGBB_API_KEY: key, IMGBB_UPLOAD_URL: uploadUrl }
  const { origin, printed } = await run({ DATA_DIR: emptyFolder(), DEMO: 'on', ...imgbb })
  expect(printed()).toContain('is open at')
  const parts = await (await request.get(`${origin}/api/part`)).json()
  const shown = parts.map((part: { image: string }) => part.image)
  expect(shown).toHaveLength(28)
  expect([...host.kept.keys()].map((path) => host.origin + path)).toEqual(expect.arrayContaining(shown))
  expect(host.kept.size).toBe(2 * 28)
  const page = await anotherBrowser({ baseURL: origin })
  await page.goto(`/parts/${parts[0]._id}`)
  const shownThere = page.getByRole('article').getByRole('img').first()
  await expect(shownThere).toHaveAttribute('src', parts[0].image)
  await expect(shownThere).not.toHaveJSProperty('naturalWidth', 0)

  const token = await accessTokenOf(origin, demoAdmin)
  const asked = await request.post(`${origin}/api/upload-key`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { url } = await asked.json()
  const answer = await request.post(`${origin}${url}`, { multipart: { image: await picture() } })
  const { success, data } = await answer.json()
  expect([answer.status(), success]).toEqual([200, true])
  expect(data.url).toContain(host.origin)
  expect((await request.get(data.url)).headers()['content-type']).toBe('image/jpeg')
  expect(`${printed()}${JSON.stringify(data)}`).not.toContain(key)
  await host.stop()
})
