import { Shape } from 'three'
import { accent, alloy, anodised, glossBlack, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { disc } from '#studio/shapes/outlines.ts'
import { around, at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { blend, carve, limb, pillar, prism, ribbon } from '#studio/shapes/solid.ts'
import { lathe, peg } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { cage, capScrew, pivot } from './derailleur-cage.ts'
import { bKnuckle, knuckle, mountBolt } from './derailleur-knuckle.ts'

/** The links' axle in the clutch's knuckle, seen from outside; z is outwards. */
const linkEnd: Point2 = [4, -52]
const flat = -Math.PI / 2

/** A long-cage derailleur for 12 speeds, lying on its inner side: two jockey wheels of 14 teeth, 95 mm apart. */
export function rearDerailleur(): Model {
  const lying = group(bKnuckle(), mountBolt(), links(), clutch(), cage())
  lying.rotation.x = flat
  const turned = group(lying)
  turned.rotation.y = 0.75
  return {
    object: group(turned),
    views: [
      { azimuth: 0, elevation: 60, fill: 0.88 },
      { azimuth: -20, elevation: 38, detail: { at: [24, 8, 38], width: 132 } },
    ],
  }
}

/** The parallelogram: a broad outer link, a narrow inner one, two axles, the spring between them, the cable's bolt. */
function links() {
  const [[fromX, fromY], [toX, toY]] = [[knuckle[0] - 1, knuckle[1] - 3], linkEnd]
  const long = Math.hypot(toX - fromX, toY - fromY)
  const wide = prism(
    ribbon(
      [
        [0, 0],
        [long, 0],
      ],
      21,
    ),
    7,
    2.6,
  )
  const hollow = limb([8, 0, 9.8, 8], [long - 10, 0, 9.4, 7])
  const outer = cast(
    carve(1, wide, hollow),
    [
      [-14, -14, -6],
      [long + 14, 14, 6],
    ],
    0.6,
    alloy,
  )
  const slim = cast(
    prism(
      ribbon(
        [
          [0, 0],
          [long, 0],
        ],
        15,
      ),
      5,
      1.6,
    ),
    [
      [-12, -12, -5],
      [long + 12, 12, 5],
    ],
    0.7,
    anodised,
  )
  const axles = [0, long].map((x) =>
    at(peg(steel, 0, -11, 3.1, -11, 3.1, 24.6, 2.5, 25.2, 0, 25.2), [x, 0, 0]),
  )
  const all = group(
    at(outer, [0, 0, 20.5]),
    at(slim, [0, 0, -5]),
    ...axles,
    at(spring(long - 26), [13, 0, 8]),
    at(cableArm(), [long * 0.62, 0, 10]),
  )
  return at(all, [fromX, fromY, 0], [0, 0, Math.atan2(toY - fromY, toX - fromX)])
}

/** Wound closely around the x axis. */
function spring(long: number) {
  const coil = lathe(
    [
      [4.2, -0.7],
      [4.9, 0],
      [4.2, 0.7],
      [3.5, 0],
    ],
    steel,
    40,
    0.5,
  )
  const count = Math.floor(long / 1.7)
  return group(
    ...Array.from({ length: count }, (_, i) => at(coil.clone(), [i * 1.7, 0, 0], [0, 0, Math.PI / 2])),
  )
}

/** The arm with the bolt and the washer that hold the cable. */
function cableArm() {
  const arm = cast(
    prism(
      ribbon(
        [
          [0, 0],
          [0, 19],
        ],
        11,
      ),
      4.4,
      1.4,
    ),
    [
      [-8, -8, -4],
      [8, 27, 4],
    ],
    0.5,
    anodised,
  )
  const bolt = group(peg(steel, 0, 2, 4.6, 2, 4.6, 3.2, 0, 3.2), at(capScrew(4, 4), [0, 0, 3.2]))
  return group(arm, at(bolt, [0, 19, 0]))
}

/** The knuckle on the cage with the clutch in its drum, and the lever that turns the clutch off. */
function clutch() {
  const [x, y] = pivot
  const body = blend(
    6,
    pillar([x, y, -1], [x, y, 15], 19.5, 3),
    pillar([...linkEnd, -9], [...linkEnd, 16.5], 9.2, 2.5),
    limb([x + 15, y + 8, 4, 6], [x + 21, y + 18, 4, 5]),
  )
  const seat = pillar([x, y, 13.8], [x, y, 40], 16.2, 0.3)
  const drum = cast(
    carve(0.6, body, seat),
    [
      [x - 28, y - 26, -12],
      [x + 32, y + 38, 22],
    ],
    0.7,
    glossBlack,
  )
  const screws = around(3, () => at(capScrew(2.1, 2), [12.2, 0, 15.6]))
  const lid = group(
    at(plate(disc(15.8), 2.4, anodised, 0.4), [0, 0, 14.6]),
    at(screws, [0, 0, 0], [0, 0, 1.5]),
    at(lever(), [0, 0, 17.2], [0, 0, -0.35]),
    at(peg(steel, 0, 0, 3, 0, 3, 1, 2.2, 1.6, 0, 1.6), [0, 0, 18.4]),
  )
  return group(drum, at(lid, [x, y, 0]))
}

function lever() {
  const [x, y] = [5.6 * Math.cos(0.42 * Math.PI), 5.6 * Math.sin(0.42 * Math.PI)]
  const shape = new Shape().absarc(0, 0, 5.6, 0.42 * Math.PI, 1.58 * Math.PI, false)
  shape.bezierCurveTo(6, -5, 10, -3.4, 17, -3.2)
  shape.absarc(17, 0, 3.2, -Math.PI / 2, Math.PI / 2, false)
  shape.bezierCurveTo(10, 3.4, 6, 5, x, y)
  return plate(shape as Shape, 2.8, accent, 0.6)
}
