import { expect, test } from 'vitest'
import { closeUp } from './drawings/drawing.ts'
import { demoParts } from './parts.ts'

test.for(demoParts)('the close-up of $name lies within its drawing, at least twice as large', (part) => {
  const { x, y, width } = part.detail
  const height = width * 0.75
  expect([x - width / 2, y - height / 2].every((edge) => edge >= 0)).toBe(true)
  expect([x + width / 2 <= 1200, y + height / 2 <= 900]).toEqual([true, true])
  expect(width).toBeLessThanOrEqual(600)
  expect(closeUp(part.drawing, part.detail)).toContain(' width="1320" height="990"')
})
