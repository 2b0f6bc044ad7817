import { expect, test } from 'vitest'
import { isPagePath } from './page-path.ts'

test('the path of a page can be decoded and has at most 20 segments', () => {
  for (const path of ['/', '/parts/a%20b', '/a'.repeat(20)]) expect(isPagePath(path), path).toBe(true)
  for (const path of ['/%E0%A4%A', '/a'.repeat(21), '/'.repeat(21)])
    expect(isPagePath(path), path).toBe(false)
})
