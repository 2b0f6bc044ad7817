import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxCrosses, spokeLength } from './spoke-length.ts'

const hub = { erd: 600, circle: 58, offset: 35, hole: 2.6, holes: 16 }

// By hand: √(300² + 29² + 35² − 2·300·29·cos(67.5°)) − 1.3 = 290.95; radial: √(271² + 35²) − 1.3 = 271.95.
test.for([
  [3, 290.95],
  [0, 271.95],
  [4, 302.12],
])('%s crosses need spokes of %s mm', ([crosses, length]) => {
  expect(Math.abs(spokeLength({ ...hub, crosses: crosses! }) - length!)).toBeLessThan(0.06)
})

test('spokeLength grows with crosses, the offset and the ERD', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 10, max: 40 }), (crosses, offset) => {
      const length = spokeLength({ ...hub, offset, crosses })
      expect(spokeLength({ ...hub, offset, crosses: crosses + 1 })).toBeGreaterThan(length)
      expect(spokeLength({ ...hub, offset: offset + 1, crosses })).toBeGreaterThan(length)
      expect(spokeLength({ ...hub, erd: 602, offset, crosses })).toBeGreaterThan(length)
    }),
  )
  expect(maxCrosses(16)).toBe(4)
})
