import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoParts, modelPath } from '#db/seed/parts.ts'
import { toBase64, toGlb, triangle } from '#test/glb.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { readGltf } from './check-model.server.ts'
import { maxModelBytes } from './model.ts'
import { findOutsideContent } from './model-problems.ts'
import { readModelFile } from './models.server.ts'

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { _id: part } = await createPart(shop)
  const upload = (file: Uint8Array) => admin.uploadModel({ body: { part, file: toBase64(file) } })
  const read = async () => (await admin.readModel({ params: { partId: part } })).model
  return { shop, admin, part, upload, read }
}

test('an admin uploads a model, replaces it by another and deletes it', async () => {
  const { shop, admin, part, upload, read } = await createScene()
  expect(await read()).toBeNull()
  await upload(triangle())
  const first = await read()
  expect(first).toMatchObject({ triangles: 1, size: triangle().length })
  expect(Buffer.compare((await readModelFile(shop, first!.hash))!, triangle())).toBe(0)
  const other = triangle({ extras: { made: 'again' } })
  const { model } = await upload(other)
  expect(await read()).toEqual(model)
  expect(await readModelFile(shop, first!.hash)).toBeNull()
  expect(Buffer.compare((await readModelFile(shop, model!.hash))!, other)).toBe(0)
  expect(await admin.deleteModel({ params: { partId: part } })).toEqual({ deletedCount: 1 })
  expect(await admin.deleteModel({ params: { partId: part } })).toEqual({ deletedCount: 0 })
  expect(await read()).toBeNull()
})

const picture = { mimeType: 'image/png' }
const buffer = { byteLength: 36 }
// biome-ignore format: a table
const refused: [what: string, file: Uint8Array, because: RegExp][] = [
  ['no GLB',                      new TextEncoder().encode('{"asset": {"version": "2.0"}}'), /isn’t a GLB/],
  ['a cut-off header',            triangle().slice(0, 10),                                   /isn’t a GLB/],
  ['content that is no JSON',     toGlb('{"asset": '),                                       /can’t be read/],
  ['content that is no object',   toGlb('null'),                                             /can’t be read/],
  ['a cut-off buffer',            triangle().slice(0, -8),                                   /can’t be used/],
  ['an external buffer',          triangle({ buffers: [{ ...buffer, uri: 'https://example.com/a.bin' }] }), /outside of it/],
  ['a buffer in an address',      triangle({ buffers: [{ ...buffer, uri: 'data:,' }] }),     /outside of it/],
  ['an external picture',         triangle({ images: [{ ...picture, uri: '../a.png' }] }),   /outside of it/],
  ['two buffers',                 triangle({ buffers: [buffer, buffer] }),                   /more than one buffer/],
  ['Draco',                       triangle({ extensionsRequired: ['KHR_draco_mesh_compression'] }), /compressed with Draco/],
  ['meshopt',                     triangle({ extensionsUsed: ['EXT_meshopt_compression'] }), /compressed with meshopt/],
  ['an unknown extension',        triangle({ extensionsUsed: ['EXT_other'], extensionsRequired: ['EXT_other'] }), /requires the extension “EXT_other”/],
  ['no triangles',                triangle({ meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 1 }] }], accessors: [{ bufferView: 0, componentType: 5126, count: 2, type: 'VEC3', min: [0, 0, 0], max: [1, 0, 0] }] }), /no triangles/],
  ['numbers past the buffer',     triangle({ accessors: [{ bufferView: 0, componentType: 5126, count: 9, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }] }), /can’t be used/],
  ['a mesh that is not there',    triangle({ nodes: [{ mesh: 7 }] }),                        /can’t be used/],
]

test('uploadModel refuses what is no model in one file, in words, and stores nothing', async () => {
  const { upload, read } = await createScene()
  for (const [what, file, because] of refused) {
    const error = await upload(file).catch((reason) => reason)
    expect(error, what).toMatchObject({ status: 400, fields: { file: [expect.stringMatching(because)] } })
  }
  expect(await read()).toBeNull()
})

test('uploadModel refuses more than 10 MB, an unknown part, and everybody but admins', async () => {
  const { shop, admin, part, upload } = await createScene()
  await expect(upload(new Uint8Array(maxModelBytes + 3))).rejects.toMatchObject({ status: 400 })
  const file = toBase64(triangle())
  await expect(admin.uploadModel({ body: { part: 'none', file } })).rejects.toMatchObject({ status: 404 })
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  await expect(customer.uploadModel({ body: { part, file } })).rejects.toMatchObject({ status: 403 })
})

test('each of the demo’s parts has a model of at most 400 KB, and all have at most 6 MB', () => {
  const files = demoParts.map(({ photo }) => modelPath(photo))
  expect(readdirSync('db/seed/models')).toHaveLength(files.length)
  const sizes = files.map((file) => statSync(file).size)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(400 * 1024)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6 * 2 ** 20)
  for (const file of files)
    expect(findOutsideContent(readGltf(new Uint8Array(readFileSync(file))))).toMatch(/meshopt/)
})
