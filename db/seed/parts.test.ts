import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoParts, picturePaths } from './parts.ts'

test.for(demoParts)('$name has two photographs of 1600 by 1200 pixels', async ({ photo }) => {
  for (const file of picturePaths(photo))
    expect(await sharp(await readFile(file)).metadata(), file).toMatchObject({ width: 1600, height: 1200 })
})

test('the photographs are distinct and take less than 8 MB in total', async () => {
  const files = await Promise.all(
    demoParts.flatMap(({ photo }) => picturePaths(photo)).map((file) => readFile(file)),
  )
  expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(56)
  expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(8 * 1024 * 1024)
})
