import { Path, Shape } from 'three'
import { anodised, darkSteel, plastic, steel, turned } from '#studio/materials.ts'
import { disc, hexagon, path, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2, turn } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { sprocket } from '#studio/shapes/sprocket.ts'
import { peg } from '#studio/shapes/turned.ts'

/** Where the cage turns, and its wheels' axles: 95 mm apart. */
export const pivot: Point2 = [19, -77]
const guide: Point2 = [29, -98]
const tension: Point2 = [4, -190]
const teeth = 14

/** The cage with its two wheels and the pin that keeps the chain on the upper one. */
export function cage() {
  const outer = at(plate(cagePlate(13, 10.5), 2.6, anodised, 0.6), [0, 0, -3.2])
  const inner = at(plate(cagePlate(12, 10), 2.2, anodised, 0.5), [0, 0, -16.4])
  const axles = [guide, tension].map(([x, y]) =>
    at(
      group(
        jockey(),
        at(capScrew(4.4, 3), [0, 0, -2]),
        peg(steel, 0, -18.6, 4.6, -18.6, 4.6, -17.6, 0, -17.6),
      ),
      [x, y, 0],
    ),
  )
  const stop = at(peg(steel, 0, -8, 2.4, -8, 2.4, 5, 0, 5), [guide[0] + 15, guide[1] - 13, -9])
  return group(outer, inner, ...axles, stop)
}

/** A plate around the pivot and the guide wheel's axle, down to the tension wheel's, cut out along its middle. */
function cagePlate(top: number, bottom: number) {
  const way = Math.atan2(tension[1] - guide[1], tension[0] - guide[0])
  const long = Math.hypot(tension[0] - guide[0], tension[1] - guide[1])
  const place = (x: number, y: number) => {
    const [dx, dy] = turn([x, y], way)
    return [guide[0] + dx, guide[1] + dy] as const
  }
  const [px, py] = turn([15, 0], way + Math.PI * 0.55)
  const shape = new Shape()
  shape.absarc(...pivot, 15, way + Math.PI * 0.55, way + Math.PI * 1.38, false)
  shape.bezierCurveTo(...place(-6, -top - 4), ...place(8, -top - 3), ...place(22, -top + 1))
  shape.bezierCurveTo(...place(40, -top + 4), ...place(60, -bottom), ...place(long - 6, -bottom))
  shape.absarc(...place(long, 0), bottom, way - Math.PI / 2, way + Math.PI / 2, false)
  shape.bezierCurveTo(...place(60, bottom), ...place(40, top - 4), ...place(20, top - 1))
  shape.bezierCurveTo(...place(8, top + 1), ...place(0, top + 3), pivot[0] + px, pivot[1] + py)
  const slot = new Path().absarc(...place(24, 0), 6, way + Math.PI / 2, way + 1.5 * Math.PI, false)
  slot.absarc(...place(long - 17, 0), 4.6, way - Math.PI / 2, way + Math.PI / 2, false)
  shape.holes = [slot as Path, roundHole(...guide, 2.4), roundHole(...tension, 2.4)]
  return shape
}

/** A wheel with cut-outs on a sealed bearing, between the plates. */
function jockey() {
  const { shape } = sprocket(teeth, 3)
  shape.holes.push(roundHole(0, 0, 9.2))
  for (let i = 0; i < 7; i++) shape.holes.push(roundHole(...turn([16.4, 0], (i * 2 * Math.PI) / 7), 3.6))
  const hub = disc(13)
  hub.holes.push(roundHole(0, 0, 9))
  const wheel = group(
    plate(shape, 2.4, plastic, 0.45),
    plate(hub, 4.6, plastic, 0.5),
    peg(turned, 3, -2.6, 9, -2.6, 9, 2.6, 7.8, 2.6, 7.6, 2.3, 5.2, 2.3, 5, 2.6, 3, 2.6),
    peg(anodised, 0, -6, 4.8, -6, 4.8, 6, 0, 6),
  )
  return at(wheel, [0, 0, -9.8], [0, 0, 0.1])
}

/** A screw's head for a hexagon key, standing on z = 0, and some of its shank. */
export function capScrew(radius: number, key: number) {
  const head = disc(radius)
  head.holes.push(path(hexagon(key)))
  const shank = radius * 0.6
  return group(
    at(plate(head, 2.6, darkSteel, 0.35), [0, 0, 1.3]),
    peg(darkSteel, 0, -3, shank, -3, shank, 0.6, 0, 0.6),
  )
}
