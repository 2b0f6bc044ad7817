import { Shape } from 'three'
import { accent, anodised, darkSteel, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { disc } from '#studio/shapes/outlines.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { blend, carve, moved, pillar, prism, ribbon } from '#studio/shapes/solid.ts'
import { peg } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { cage, capScrew, pivot } from './derailleur-cage.ts'
import { bKnuckle, mountBolt } from './derailleur-knuckle.ts'
import { fromLinks, hinge, links, onLinks, reach } from './derailleur-links.ts'

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

/** The knuckle on the cage: the lower hinge of the links, the clutch in its drum, and the lever that turns the clutch off. */
function clutch() {
  const [x, y] = pivot
  const [fromX, fromY] = fromLinks(pivot)
  const gusset = moved(
    prism(
      ribbon([
        [reach + 11, 4, 18],
        [fromX - 8, fromY + 2, 26],
      ]),
      14,
      1.8,
    ),
    [0, 0, 6],
  )
  const knuckle = onLinks(blend(3, hinge(reach, 11), gusset))
  const body = blend(3, knuckle, pillar([x, y, -1], [x, y, 15], 19.5, 1.6))
  const forged = cast(
    carve(0.5, body, pillar([x, y, 13.8], [x, y, 40], 16.4, 0.3)),
    [
      [-22, y - 21, -9],
      [x + 21, -16, 21],
    ],
    0.55,
    anodised,
  )
  const screws = [1.5, 3.3, 5.2].map((turn) =>
    at(capScrew(2, 2), [12.6 * Math.cos(turn), 12.6 * Math.sin(turn), 14.9]),
  )
  const words = [
    at(figures('ON', 2.4, steel), [-7.4, 6.6, 15.8]),
    at(figures('OFF', 2.4, steel), [-4.6, -8.8, 15.8]),
  ]
  const plug = peg(darkSteel, 5.6, 15.6, 5.6, 16.4, 5, 17, 3.6, 17, 3.4, 16.5, 0, 16.5)
  const lid = group(
    at(plate(disc(16), 2.4, anodised, 0.4), [0, 0, 14.6]),
    ...screws,
    ...words,
    plug,
    at(lever(), [8.6, 7.2, 17.4], [0, 0, 0.5]),
  )
  return group(forged, at(lid, [x, y, 0], [0, 0, 0.15]))
}

/** Stamped, on a rivet near the drum's rim, its end raised for the thumb. */
function lever() {
  const [c, s] = [3.9 * Math.cos(0.42 * Math.PI), 3.9 * Math.sin(0.42 * Math.PI)]
  const shape = new Shape().absarc(0, 0, 3.9, 0.42 * Math.PI, 1.58 * Math.PI, false)
  shape.bezierCurveTo(6, -3.4, 10, -3, 15, -3.4)
  shape.absarc(16.6, 0, 3.6, -Math.PI / 2, Math.PI / 2, false)
  shape.bezierCurveTo(10, 3, 6, 3.4, c, s)
  const grips = [14.6, 16.2, 17.8].map((x) =>
    at(peg(accent, 0, -2.4, 0.4, -2.4, 0.4, 2.4, 0, 2.4), [x, 0, 1.2], [Math.PI / 2, 0, 0]),
  )
  return group(
    plate(shape as Shape, 2.4, accent, 0.5),
    ...grips,
    peg(steel, 0, 0, 2.2, 0, 2.2, 1.5, 1.6, 2, 0, 2),
  )
}
