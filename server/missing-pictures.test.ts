import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { folderStore } from '#providers/images/folder.ts'
import { storedImages } from '#providers/images/stored.ts'
import { configureLog, sendLog } from '#telemetry/log.ts'
import { jpeg } from '#test/pictures.ts'
import { createPart, testShop } from '#test/shop.ts'
import { warnAboutMissingPictures } from './missing-pictures.ts'

afterEach(() => configureLog({ level: 'warn', format: 'text' }))

test('a shop that starts without some of its pictures says how many are missing', async () => {
  const lines: string[] = []
  sendLog({ write: (line) => lines.push(JSON.parse(line).msg) }, 'warn')
  const shop = await testShop()
  const stored = storedImages(folderStore(mkdtempSync(join(tmpdir(), 'winged-wheels-images-'))))
  const image = await stored.store(await jpeg())
  const missing = ['1', '2'].map((end) => `/images/${'0'.repeat(31)}${end}.webp`)
  await createPart(shop, { image, views: ['https://images.example/a.jpg'] })
  await warnAboutMissingPictures(shop.db, stored)
  expect(lines).toEqual([])
  for (const [i, view] of missing.entries()) {
    await createPart(shop, { name: `Crank ${i}`, image, views: [view] })
    await warnAboutMissingPictures(shop.db, stored)
  }
  const [one, two] = [/^1 of 3 pictures are missing\. /, /^2 of 4 pictures are missing\. /]
  expect(lines).toEqual([expect.stringMatching(one), expect.stringMatching(two)])
})
