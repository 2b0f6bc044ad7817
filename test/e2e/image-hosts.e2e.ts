import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { openBucket, openImgbb } from '#test/image-hosts.ts'
import { accessTokenOf, emptyFolder } from '#test/process.ts'
import { createPicture, fillProduct, openForm, productAdded } from './products.ts'
import { demoEnvOnPostgres, newDatabase, startShop, stopShopsAfterEach } from './running.ts'
import { demoAdmin, expect, openPart, test, toast } from './shop.ts'

stopShopsAfterEach()

test('images are stored in the S3 bucket, a failed upload can be retried, and a second shop cannot use the bucket', async ({
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503 .*\/images\/upload/)
  allowConsoleErrors(/^Connecting to 'blob:/)
  const name = 'Rotor in a bucket'
  const bucket = await openBucket()
  const { bucket: S3_BUCKET, accessKeyId, secretAccessKey, endpoint } = bucket.settings
  const keys = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
  const settings = { DEMO: 'on', S3_BUCKET, ...keys, S3_ENDPOINT: endpoint }
  const shop = await startShop({ ...(await demoEnvOnPostgres()), ...settings })
  const page = await anotherBrowser({ baseURL: shop.origin })

  await openForm(page)
  await fillProduct(page, name)
  await bucket.failWith('responds with 500')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const error = page.getByRole('alert').filter({ hasText: 'We can’t load or save photos right now.' })
  await expect(error).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue(name)

  await bucket.failWith(null)
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(toast(page, productAdded)).toBeVisible()
  await openPart(page, name)
  const image = page.getByRole('article').getByRole('img').first()
  await expect(image).not.toHaveJSProperty('naturalWidth', 0)
  const [hash] = /[0-9a-f]{32}/.exec((await image.getAttribute('src'))!)!
  const objects = (await bucket.objects()).filter((object) => object.includes(hash))
  expect(objects).toContain(`images/${hash}.webp`)
  expect(objects).toContain(`images/${hash}-320.jpg`)

  const secondShop = await startShop({ ...(await newShopOnPostgres()), ...settings })
  expect(await secondShop.exited).toBe(1)
  expect(secondShop.output()).toContain(
    'S3_BUCKET: This bucket belongs to another shop, or to this one with another secret. Use a separate bucket or',
  )
  await bucket.stop()
})

test('images are stored at the image host, and an upload returns the URL there', async ({
  anotherBrowser,
  request,
}) => {
  const host = await openImgbb()
  const { key, uploadUrl } = host.settings
  const imgbb = { IMGBB_API_KEY: key, IMGBB_UPLOAD_URL: uploadUrl }
  const env = { ...(await newShopOnPostgres()), DEMO: 'on', ...imgbb }
  const { origin, output } = await startShop(env, await folderWithSmallPictures())
  expect(output()).toContain('is running at')
  const parts = await (await request.get(`${origin}/api/part`)).json()
  const imageUrls = parts.map((part: { image: string }) => part.image)
  expect(imageUrls).toHaveLength(28)
  expect([...host.stored.keys()].map((path) => host.origin + path)).toEqual(expect.arrayContaining(imageUrls))
  expect(host.stored.size, 'two of each part, and a drawing').toBe(2 * 28 + 1)
  const page = await anotherBrowser({ baseURL: origin })
  await page.goto(`/parts/${parts[0]._id}`)
  const image = page.getByRole('article').getByRole('img').first()
  await expect(image).toHaveAttribute('src', parts[0].image)
  await expect(image).not.toHaveJSProperty('naturalWidth', 0)

  const token = await accessTokenOf(origin, demoAdmin)
  const keyResponse = await request.post(`${origin}/api/upload-key`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { url } = await keyResponse.json()
  const uploadResponse = await request.post(`${origin}${url}`, {
    multipart: { image: await createPicture() },
  })
  const { success, data } = await uploadResponse.json()
  expect([uploadResponse.status(), success]).toEqual([200, true])
  expect(data.url).toContain(host.origin)
  expect((await request.get(data.url)).headers()['content-type']).toBe('image/jpeg')
  expect(`${output()}${JSON.stringify(data)}`).not.toContain(key)
  await host.stop()
})

async function newShopOnPostgres() {
  return { DATA_DIR: emptyFolder(), DATABASE_URL: await newDatabase() }
}

/** A working directory in which the demo's pictures are one small picture: encoding large ones for the host takes ten seconds. */
async function folderWithSmallPictures() {
  const folder = emptyFolder()
  for (const name of ['build', 'server']) await symlink(resolve(name), join(folder, name))
  const pictures = 'db/seed/pictures'
  await mkdir(join(folder, pictures), { recursive: true })
  const names = await readdir(pictures)
  const small = await sharp(join(pictures, names[0]!)).resize({ width: 160 }).toBuffer()
  for (const name of names) await writeFile(join(folder, pictures, name), small)
  for (const name of ['models', 'drawings'])
    await symlink(resolve('db/seed', name), join(folder, 'db/seed', name))
  return folder
}
