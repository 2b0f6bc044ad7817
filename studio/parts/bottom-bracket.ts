import { accent, anodised, plastic } from '#studio/materials.ts'
import { bearing } from '#studio/shapes/bearing.ts'
import { disc, notched, roundHole } from '#studio/shapes/outlines.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { lathe, threads } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const quarter = Math.PI / 2

/** Two cups of 44 mm for a 68 mm shell with the sleeve between them, and three spacers of 2.5 mm. */
export function bottomBracket(): Model {
  const cups = [1, -1].map((side) => at(cup(), [side * 34, 22, 0], [0, side * quarter, 0]))
  const sleeve = lathe(
    [
      [15.4, -32],
      [16, -31],
      [16, -20],
      [15.2, -19],
      [15.2, 19],
      [16, 20],
      [16, 31],
      [15.4, 32],
      [14.4, 32],
      [14.4, -32],
      [15.4, -32],
    ],
    plastic,
  )
  const spacers = [
    [-4, 1.25, 44],
    [34, 1.25, 54],
    [22, 3.76, 49],
  ].map(([x, y, z]) =>
    at(slab(disc(21.4, 17.4), 2.5, anodised, { edge: 0.4, curve: 64 }), [x!, y!, z!], [quarter, 0, 0]),
  )
  return {
    object: group(...cups, at(sleeve, [0, 22, 0], [0, 0, quarter]), ...spacers),
    views: [
      { azimuth: 34, elevation: 24, fill: 0.84 },
      { azimuth: 122, elevation: 16, detail: { at: [28, 20, 8], width: 112 } },
    ],
  }
}

/** A cup around the z axis, its shoulder at z = 0, the bearing looking along +z. */
function cup() {
  const thread = 17.3
  const body = lathe(
    [
      [15.9, -16],
      [16.6, -16],
      ...threads(thread, -15.6, -2.2, 1.06, 0.62),
      [16.4, -2],
      [16.4, 0],
      [20, 0],
      [20.3, 0.3],
      [20.3, 1.6],
    ],
    anodised,
  )
  const collar = lathe(
    [
      [20.3, 7.6],
      [20.2, 9.8],
      [19.6, 10.6],
      [18.9, 10.8],
      [18.4, 10.4],
      [18.4, 3],
    ],
    anodised,
  )
  const wheel = notched(16, 22, 1.7, 0.42)
  wheel.holes.push(roundHole(0, 0, 19))
  const grip = at(slab(wheel, 7, anodised, { edge: 0.5 }), [0, 0, 5])
  const inside = lathe(
    [
      [15.9, 2],
      [15.9, -16],
    ],
    anodised,
  )
  const race = at(bearing(24.1, 37, 7), [0, 0, 7])
  const shield = at(
    lathe(
      [
        [18.4, 0],
        [17.6, 0],
        [17.3, 0.4],
        [15, 0.6],
        [14.6, 0.2],
        [13.8, 0.2],
        [13.4, 0.7],
        [12.5, 0.7],
        [12.1, 0.2],
        [12.1, -6],
      ],
      accent,
    ),
    [0, 0, 10],
    [quarter, 0, 0],
  )
  return group(at(group(body, collar, inside), [0, 0, 0], [quarter, 0, 0]), grip, race, shield)
}
