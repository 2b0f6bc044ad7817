import { anodised, darkSteel, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { disc, hexagon, panel, path, roundHole } from '#studio/shapes/outlines.ts'
import { around, at, group } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { blend, carve, moved, pillar, prism, ribbon, type Solid } from '#studio/shapes/solid.ts'
import { lathe, peg } from '#studio/shapes/turned.ts'
import { capScrew } from './derailleur-cage.ts'
import { fromLinks, hinge, onLinks, withLinks } from './derailleur-links.ts'

/** Where the cable comes in, in the links' frame, and which way it comes from. */
const [stopX, stopY, stopWay] = [-13, -6, 3.55]

/** The knuckle on the frame: a boss for the mount bolt, the upper hinge of the links, the cable's stop, the limit screws. */
export function bKnuckle() {
  const [x, y] = fromLinks([0, 0])
  const arm = moved(
    prism(
      ribbon([
        [-10, 2, 12],
        [-7, 17, 19],
        [x, y, 22],
      ]),
      12,
      1.8,
    ),
    [0, 0, 1.5],
  )
  const [c, s] = [Math.cos(stopWay), Math.sin(stopWay)]
  const stop = pillar([stopX, stopY, 7], [stopX + 13 * c, stopY + 13 * s, 7], 6, 1)
  const body = blend(3, hinge(0, -11), arm, pillar([x, y, -4], [x, y, 12], 11.8, 1.6), stop)
  const cuts: Solid[] = [
    pillar([x, y, 8.5], [x, y, 30], 9, 0.3),
    pillar([stopX, stopY, 7], [stopX + 20 * c, stopY + 20 * s, 7], 3.4),
    ...[-4, 4].map((at) => pillar([-11.6, at, 14.4], [-11.6, at, 30], 2.9)),
  ]
  const forged = cast(
    onLinks(carve(0.5, body, ...cuts)),
    [
      [-66, -48, -9],
      [14, 14, 21],
    ],
    0.55,
    anodised,
  )
  const barrel = at(barrelAdjuster(), [stopX + 12 * c, stopY + 12 * s, 7], [0, 0, stopWay - Math.PI / 2])
  const limits = [-4, 4].map((at) => ({ at, letter: at < 0 ? 'L' : 'H' }))
  const screws = limits.map((limit) => at(capScrew(2.3, 2), [-11.6, limit.at, 13.4]))
  const letters = limits.map((limit) =>
    at(figures(limit.letter, 2, steel), [-11.6, limit.at * 2.1, 16], [0, 0, -Math.PI / 2]),
  )
  return group(forged, withLinks(barrel, ...screws, ...letters), stopPlate())
}

/** The stamped plate behind the boss that leans on the hanger, and the screw that sets how far. */
function stopPlate() {
  const tab = panel(13, 11, 2.5)
  const rim = disc(10.4)
  rim.holes.push(roundHole(0, 0, 5.2))
  return group(
    at(plate(rim, 1.8, darkSteel, 0.3), [0, 0, -5]),
    at(plate(tab, 1.8, darkSteel, 0.3), [-10.5, -5.5, -5.02], [0, 0, 0.5]),
    at(peg(steel, 0, -9, 1.6, -9, 2, -8.6, 2, 5, 0, 5), [-16, -3, -6], [0, Math.PI / 2, 0]),
  )
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
  )
}
