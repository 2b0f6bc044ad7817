import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  const eve = await clientOf(shop, await createUser(shop, 'Eve'))
  async function addPart(partNumber: string, text: string) {
    const { _id: partId } = await createPart(shop, { name: `Part ${partNumber}`, partNumber })
    const body = { interface: text, role: 'has' as const, source: 'Data sheet', date: '2026-11-02' }
    await admin.saveInterface({ params: { partId }, body })
    return partId
  }
  return { ada, eve, addPart }
}

test('the first build is chosen, another one takes its place, and only parts that do not fit it are warned of', async () => {
  const { ada, addPart } = await createScene()
  const [cassette, chain, hub] = [
    await addPart('WW-CS1', 'cassette-mount:HG'),
    await addPart('WW-CN1', 'chain:12;family=HG'),
    await addPart('WW-HR1', 'freehub:HG'),
  ]
  const partIds = [cassette, chain, hub]
  expect(await ada.checkBuild({ body: { partIds } })).toEqual({ build: null, warnings: [] })
  await ada.saveBuild({ body: { name: 'Trail bike', items: ['freehub: xd'] } })
  expect(await ada.checkBuild({ body: { partIds } })).toEqual({
    build: 'Trail bike',
    warnings: [{ partId: cassette, partNumber: 'WW-CS1', because: 'HG mount on XD.' }],
  })
  const { insertedId: buildId } = await ada.saveBuild({
    body: { name: 'Road bike', items: ['ww hr1', 'WW-HR1'], chosen: true },
  })
  expect(await ada.checkBuild({ body: { partIds } })).toEqual({ build: 'Road bike', warnings: [] })
  expect((await ada.listBuilds()).map(({ name, chosen, itemCount }) => [name, chosen, itemCount])).toEqual([
    ['Road bike', true, 1],
    ['Trail bike', false, 1],
  ])
  const body = { name: 'Road bike', items: [hub, 'cassette-mount:XD'], chosen: false }
  await ada.updateBuild({ params: { buildId }, body })
  expect(await ada.checkBuild({ body: { partIds } })).toEqual({ build: null, warnings: [] })
  expect((await ada.readBuild({ params: { buildId } })).items).toEqual([
    { text: 'WW-HR1', label: 'Part WW-HR1', partId: hub, problem: 'XD mount on HG.' },
    { text: 'cassette-mount:XD', label: 'Cassette mount: XD', partId: null, problem: 'XD mount on HG.' },
  ])
})

test('a build can be read, changed and deleted by its owner alone', async () => {
  const { ada, eve } = await createScene()
  const body = { name: 'Trail bike', items: ['freehub:XD'] }
  const { insertedId: buildId } = await ada.saveBuild({ body })
  const params = { buildId }
  const calls = [
    () => eve.readBuild({ params }),
    () => eve.updateBuild({ params, body }),
    () => eve.deleteBuild({ params }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404 })
  expect(await eve.listBuilds()).toEqual([])
  expect(await ada.deleteBuild({ params })).toEqual({ deletedCount: 1 })
  await expect(ada.readBuild({ params })).rejects.toMatchObject({ status: 404 })
})

test('saveBuild refuses a taken name, an unknown part and an unknown interface', async () => {
  const { ada } = await createScene()
  await ada.saveBuild({ body: { name: 'Trail bike', items: [] } })
  const save = (name: string, ...items: string[]) => ada.saveBuild({ body: { name, items } })
  await expect(save('trail BIKE')).rejects.toMatchObject({
    status: 409,
    fields: { name: [expect.any(String)] },
  })
  for (const item of ['WW-NONE', 'freehub:none', 'bike:XD'])
    await expect(save('Other', item)).rejects.toMatchObject({
      status: 400,
      fields: { items: [expect.any(String)] },
    })
})
