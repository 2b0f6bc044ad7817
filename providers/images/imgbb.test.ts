import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { openImgbb } from '#test/image-hosts.ts'
import { jpeg } from '#test/pictures.ts'
import { imgbbImages } from './imgbb.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((stop) => stop()))
})

async function setUp() {
  const host = await openImgbb()
  opened.push(host.stop)
  return { ...host, images: imgbbImages(host.settings) }
}

async function hostAnswering(status: number, answer: unknown) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  opened.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const uploadUrl = `http://127.0.0.1:${port}/1/upload`
  return imgbbImages({ key: 'k3y-of-ours', uploadUrl, imageOrigin: 'https://i.example.com' })
}

test('store uploads one JPEG without the original file name', async () => {
  const { images, uploads, stored } = await setUp()
  const picture = new File([await jpeg()], 'Ada at home.png', { type: 'image/png' })
  const url = await images.store(picture)
  expect([...stored.keys()]).toEqual([new URL(url).pathname])
  expect(uploads).toMatchObject([{ fields: ['image'], name: 'picture.jpg', type: 'image/jpeg' }])
  expect([...stored.values()][0]).not.toEqual(await picture.bytes())
})

test('the key is added to the upload URL’s other parameters', async () => {
  const { settings, uploads, stored } = await setUp()
  const images = imgbbImages({ ...settings, uploadUrl: `${settings.uploadUrl}?expiration=600&key=old` })
  await images.store(await jpeg())
  expect(uploads.map(({ search }) => Object.fromEntries(search))).toEqual([
    { expiration: '600', key: settings.key },
  ])
  expect(stored.size).toBe(1)
})

test('prepareVariants and deleteUnused send no request', async () => {
  const { images, uploads, failWith } = await setUp()
  const url = await images.store(await jpeg())
  await failWith('is down')
  await images.prepareVariants(url)
  await images.deleteUnused(new Set(), new Date())
  expect(uploads).toHaveLength(1)
})

test('an upload error is logged truncated and without the key', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  for (const [status, answer] of [
    [
      400,
      { status_code: 400, error: { message: 'Invalid API v1 key.', code: 100 }, status_txt: 'Bad Request' },
    ],
    [400, { error: { message: 'No such key: k3y-of-ours, k3y-of-ours' } }],
    [429, { error: { message: 'Rate limit reached.' } }],
    [500, 'x'.repeat(100_000)],
  ] as const) {
    const images = await hostAnswering(status, answer)
    await expect(images.store(await jpeg())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The image host can’t store the photo right now. Try again later.',
    })
  }
  const lines = log.mock.calls.map((args) => args.join(' '))
  expect(lines.map((line) => /The image host returned (\d+): (.{9})/.exec(line)?.slice(1))).toEqual([
    ['400', '{"status_'],
    ['400', '{"error":'],
    ['429', '{"error":'],
    ['500', '"xxxxxxxx'],
  ])
  expect(lines.join()).not.toContain('k3y-of-ours')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_000)
})

test('a response without a usable picture URL is a failure', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const answer of [
    null,
    [],
    'https://i.example.com/chain.jpg',
    {},
    { success: true },
    { success: true, data: {} },
    { success: true, data: null },
    { success: true, data: { url: '' } },
    { success: true, data: { url: '/chain.jpg' } },
    { success: true, data: { url: 'javascript:alert(1)' } },
    { success: true, data: { url: 'data:image/jpeg;base64,AAAA' } },
    { success: true, data: { url: 'http://i.example.com/chain.jpg' } },
    { success: true, data: { url: 'https://elsewhere.example.com/chain.jpg' } },
    { success: false, data: { url: 'https://i.example.com/chain.jpg' } },
    { success: 'true', data: { url: 'https://i.example.com/chain.jpg' } },
    { data: { url: 'https://i.example.com/chain.jpg' } },
  ]) {
    const images = await hostAnswering(200, answer)
    await expect(images.store(await jpeg()), JSON.stringify(answer)).rejects.toMatchObject({
      code: 'unavailable',
    })
  }
  const images = await hostAnswering(200, { success: true, data: { url: 'https://i.example.com/chain.jpg' } })
  expect(await images.store(await jpeg())).toBe('https://i.example.com/chain.jpg')
})
