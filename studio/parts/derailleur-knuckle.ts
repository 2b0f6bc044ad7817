import { anodised, darkSteel, glossBlack, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { disc, hexagon, path } from '#studio/shapes/outlines.ts'
import { around, at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { blend, carve, limb, pillar, type Solid } from '#studio/shapes/solid.ts'
import { lathe, peg } from '#studio/shapes/turned.ts'
import { capScrew } from './derailleur-cage.ts'

/** Where the links' upper axle is, seen from outside, the mount bolt at the origin; z is outwards. */
export const knuckle: Point2 = [-30, -20]

/** The knuckle on the frame: a boss for the mount bolt, an arm back to the links, an ear for the cable's barrel, and the limit screws. */
export function bKnuckle() {
  const [x, y] = knuckle
  const body = blend(
    7,
    pillar([0, 0, -4], [0, 0, 12], 11.5, 2),
    limb([-3, -3, 3, 8], [x + 4, y + 3, 4, 9.5]),
    pillar([x - 2, y - 2, -9], [x - 2, y - 2, 17], 9, 2.5),
    limb([x - 4, y + 2, 3, 6.5], [x - 17, y + 13, 2, 5.4]),
  )
  const cuts: Solid[] = [
    pillar([0, 0, 8.5], [0, 0, 30], 9, 0.3),
    pillar([x - 17, y + 13, 2], [x - 26, y + 20.5, 2], 3.4),
  ]
  const forged = cast(
    carve(0.8, body, ...cuts),
    [
      [-62, -36, -12],
      [16, 16, 22],
    ],
    0.7,
    glossBlack,
  )
  const barrel = at(barrelAdjuster(), [x - 19, y + 14.6, 2], [0, 0, Math.PI / 2 - Math.atan2(7.5, 9)])
  const limits = [14.5, 20].map((away) => at(capScrew(2.2, 2), [-0.83 * away, -0.55 * away, 11.4]))
  return group(forged, barrel, ...limits)
}

/** Knurled, along the y axis. */
function barrelAdjuster() {
  const body = lathe(
    [
      [0, 0],
      [3, 0],
      [3, 3],
      [4.6, 3.6],
      [4.6, 10],
      [3.4, 12],
      [3.4, 15],
      [1.4, 15],
      [1.4, 6],
    ],
    anodised,
  )
  const grips = around(18, () => at(peg(anodised, 0, -3, 0.5, -3, 0.5, 3, 0, 3), [4.5, 0, 0]))
  return group(body, at(grips, [0, 6.8, 0], [Math.PI / 2, 0, 0]))
}

/** M10 with a key of 5 mm, and its thread behind. */
export function mountBolt() {
  const head = disc(8.4)
  head.holes.push(path(hexagon(5)))
  const thread = Array.from({ length: 9 }, (_, i) => [5, -13.6 + i, 4.5, -13.1 + i]).flat()
  return group(
    at(plate(head, 4, steel, 0.7), [0, 0, 11.5]),
    peg(steel, 0, -14, ...thread, 5, -4.5, 5, 9, 0, 9),
    peg(darkSteel, 5, -6, 10, -6, 10, -4, 5, -4),
  )
}
