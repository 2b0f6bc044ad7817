import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { imgbbImages } from '#providers/images/imgbb.ts'
import { storedImages } from '#providers/images/stored.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { openImgbb } from '#test/image-hosts.ts'
import { jpeg } from '#test/pictures.ts'
import {
  cleanUpUploads,
  fileHeaders,
  formOf,
  imageHeaders,
  multipart,
  rawForm,
  serve,
  setUpUpload,
} from '#test/uploads.ts'

const day = 24 * 60 * 60_000

afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await cleanUpUploads()
})

function fullDisk(code = 'ENOSPC') {
  return Object.assign(new Error(`${code}: no space left on device, write`), { code })
}

test('an upload returns 507 and stores nothing when the image store is full', async () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const { send, expectRefused } = await setUpUpload((files) =>
      storedImages({ ...files, write: () => Promise.reject(fullDisk(code)) }),
    )
    vi.spyOn(console, 'error').mockReturnValue()
    await expectRefused(await send(formOf(await jpeg())), 507, code)
  }
})

test('a partially stored picture is purged and can be uploaded again', async () => {
  const capacity = { writes: 2 }
  const { shop, send, storedState } = await setUpUpload((files) =>
    storedImages({
      ...files,
      write: async (name, file) => {
        if (capacity.writes-- <= 0) throw fullDisk()
        await files.write(name, file)
      },
    }),
  )
  vi.spyOn(console, 'error').mockReturnValue()
  const picture = formOf(await jpeg())
  const response = await send(picture)
  expect([response.status, await response.json()]).toEqual([507, expect.objectContaining({ success: false })])
  expect(await storedState()).toMatchObject({ tempFiles: [], pictures: 0 })
  await purgeExpired(shop, Date.now() + 2 * day)
  expect(await storedState()).toEqual({ files: [], tempFiles: [], pictures: 0 })

  capacity.writes = Number.POSITIVE_INFINITY
  expect((await send(picture)).status).toBe(200)
  expect(await storedState()).toMatchObject({ tempFiles: [], pictures: 1 })
})

test('an upload returns 507 when the temporary folder is full', async () => {
  const { send, expectRefused } = await setUpUpload()
  vi.spyOn(console, 'error').mockReturnValue()
  const large = new Uint8Array(rawForm([[imageHeaders, new Uint8Array(2_000_000)]]))
  const { createWriteStream, open, close, writeSync } = fs
  vi.spyOn(fs, 'createWriteStream').mockImplementation((path) => {
    const write = (file: number, bytes: Uint8Array, ...rest: unknown[]) => {
      writeSync(file, bytes.subarray(0, 1_000))
      const done = rest.at(-1) as (error: Error) => void
      done(fullDisk())
    }
    return createWriteStream(path, { fs: { open, close, write } as unknown as typeof fs })
  })
  syncBuiltinESMExports()
  await expectRefused(await send(large, multipart), 507)

  vi.spyOn(fs.promises, 'mkdtemp').mockRejectedValue(fullDisk())
  syncBuiltinESMExports()
  await expectRefused(await send(large, multipart), 507)
})

test('an upload returns 503 when the image host fails and can be retried', async () => {
  const host = await openImgbb()
  const { send, expectRefused, storedState } = await setUpUpload(() => imgbbImages(host.settings, 3_000))
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const picture = formOf(await jpeg())
  for (const mode of [
    'is down',
    'responds with 500',
    'never responds',
    'answers with a page',
    'ends early',
  ] as const) {
    await host.failWith(mode)
    await expectRefused(await send(picture), 503, mode)
  }
  expect(log.mock.calls.join()).not.toContain(host.settings.key)

  await host.failWith(null)
  const response = await send(picture)
  const answer = await response.json()
  expect([response.status, answer.success]).toEqual([200, true])
  expect(answer.data.url).toContain(host.origin)
  expect(await storedState()).toEqual({ files: [], tempFiles: [], pictures: 1 })
  await host.stop()
  expect(await (await send(picture)).json()).toEqual(answer)
})

test('oversized and unauthorized uploads are rejected before the body ends', async () => {
  const upload = await setUpUpload()
  const post = await serve(upload)
  const begin = rawForm([[imageHeaders, '']], '')
  const megabytes = Buffer.alloc(11 * 1024 * 1024)

  for (const [url, status, length] of [
    [upload.url, 413, { 'content-length': begin.length + megabytes.length }],
    [upload.url, 413, {}],
    ['/images/upload?key=x', 401, { 'content-length': begin.length + 1_000_000 }],
    ['/images/upload?key=x', 401, {}],
  ] as const) {
    const { sent, answered } = post({ ...multipart, ...length }, url)
    sent.write(begin)
    if (status === 413) sent.write(megabytes)
    await upload.expectRefused(await answered, status)
    sent.destroy()
  }
})

test('a picture that arrives slowly in chunks is accepted', async () => {
  const upload = await setUpUpload()
  const post = await serve(upload)
  const whole = rawForm([[imageHeaders, await (await jpeg()).bytes()]])
  const { sent, answered } = post(multipart)
  const step = Math.ceil(whole.length / 20)
  for (let from = 0; from < whole.length; from += step) {
    sent.write(whole.subarray(from, from + step))
    await wait(10)
  }
  await expect.poll(upload.pendingUploads).toHaveLength(1)
  sent.end()
  expect((await answered).status).toBe(200)
  expect(await upload.storedState()).toMatchObject({ tempFiles: [], pictures: 1 })
})

test('a complete request whose other file is cut off is refused, and ends nothing else', async () => {
  const upload = await setUpUpload()
  const post = await serve(upload)
  const form = rawForm([[fileHeaders('other', 'x.jpg'), new Uint8Array(300_000)]]).subarray(0, 200_000)
  const { sent, answered } = post({ ...multipart, 'content-length': form.length })
  sent.end(form)
  await upload.expectRefused(await answered, 400)
})

test('an aborted upload leaves no files behind', async () => {
  const upload = await setUpUpload()
  const post = await serve(upload)
  const whole = rawForm([[imageHeaders, await (await jpeg({ width: 1200, height: 900 })).bytes()]])
  const other = rawForm([[fileHeaders('other', 'x.jpg'), new Uint8Array(200_000)]])
  for (const [body, length] of [
    [whole.subarray(0, whole.length / 2), { 'content-length': whole.length }],
    [whole.subarray(0, whole.length / 2), {}],
    [whole.subarray(0, 60), {}],
    [other.subarray(0, 100_000), {}],
  ] as const) {
    const { sent } = post({ ...multipart, ...length })
    sent.write(body)
    await expect.poll(upload.pendingUploads).toHaveLength(1)
    sent.destroy()
    await expect.poll(upload.pendingUploads).toHaveLength(0)
  }
  expect(await upload.storedState()).toEqual({ files: [], tempFiles: [], pictures: 0 })

  const { sent, answered } = post(multipart)
  sent.end(whole)
  expect((await answered).status).toBe(200)
})
