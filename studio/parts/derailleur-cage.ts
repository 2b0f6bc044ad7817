import { CatmullRomCurve3, Path, Vector2, Vector3 } from 'three'
import { alloy, anodised, darkSteel, plastic, steel, turned } from '#studio/materials.ts'
import { disc, hexagon, outline, path, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2, turn } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { sprocket } from '#studio/shapes/sprocket.ts'
import { peg } from '#studio/shapes/turned.ts'

/** Where the cage turns, and its wheels' axles: 95 mm apart. */
export const pivot: Point2 = [19, -77]
const guide: Point2 = [29, -98]
const tension: Point2 = [4, -190]
const teeth = 14
const way = Math.atan2(tension[1] - guide[1], tension[0] - guide[0])

/** Around the pivot, the guide wheel's axle and the tension wheel's: from the guide wheel's axle along the cage and across it, forwards. */
const outerEdge: Point2[] = [
  [-32.6, -18],
  [-25, -28.6],
  [-10, -28],
  [4, -20.5],
  [24, -14.6],
  [58, -11.8],
  [86, -12.2],
  [101, -11],
  [108.4, 0],
  [101, 11],
  [86, 10.6],
  [58, 9.4],
  [34, 12.4],
  [20, 18.4],
  [6, 21],
  [-12, 17],
  [-25, 6],
  [-32, -6],
]
/** The inner plate is a guard for the chain beside both wheels. */
const innerEdge: Point2[] = [
  [-30, -16],
  [-22, -25.6],
  [-10, -25],
  [4, -19],
  [24, -13.4],
  [58, -11],
  [80, -13],
  [97, -19],
  [112, -13],
  [116, 0],
  [110, 12],
  [96, 15],
  [78, 10.4],
  [56, 9],
  [38, 15],
  [24, 27],
  [6, 32.6],
  [-14, 27],
  [-26, 10],
  [-31, -4],
]
const cutOuts: Point2[][] = [
  [
    [17, -10],
    [43, -7.6],
    [43, 3.6],
    [30, 4.6],
    [17, 7.4],
  ],
  [
    [49, -7.2],
    [78, -7.2],
    [78, 6],
    [49, 5.2],
  ],
]

/** The cage with its two wheels and the rivet between its plates that keeps the chain on. */
export function cage() {
  const outer = at(plate(cagePlate(outerEdge), 2.8, anodised, 0.6), [0, 0, -3.1])
  const inner = at(plate(cagePlate(innerEdge), 2, anodised, 0.4), [0, 0, -16.4])
  const axles = [guide, tension].map(([x, y]) =>
    at(
      group(
        jockey(),
        at(capScrew(4.4, 3), [0, 0, -2.3]),
        peg(steel, 2.6, -1.8, 5.6, -1.8, 5.6, -1.2, 2.6, -1.2),
        peg(steel, 0, -18.6, 4.6, -18.6, 4.6, -17.6, 0, -17.6),
      ),
      [x, y, 0],
    ),
  )
  const rivet = peg(steel, 0, -17.8, 1.8, -17.8, 2.3, -17.3, 2.3, -1.6, 1.6, -1.1, 0, -1)
  return group(outer, inner, ...axles, at(rivet, [...onCage([36, 8.4]), 0]))
}

/** A point along and across the cage in the derailleur's own plane. */
function onCage(point: Point2): Point2 {
  const [x, y] = turn(point, way)
  return [guide[0] + x, guide[1] + y]
}

function cagePlate(edge: Point2[]) {
  const corners = edge.map((point) => new Vector3(...onCage(point), 0))
  const line = new CatmullRomCurve3(corners, true, 'centripetal').getPoints(400)
  const shape = outline(line.slice(0, -1).map(({ x, y }): Point2 => [x, y]))
  shape.holes = [
    ...cutOuts.map((points) => softened(points.map(onCage), 3)),
    roundHole(...guide, 2.6),
    roundHole(...tension, 2.6),
  ]
  return shape
}

/** A hole whose corners are round, the curves beginning this far from them. */
function softened(points: Point2[], away: number) {
  const corners = points.map((point) => new Vector2(...point))
  const hole = new Path()
  for (const [i, corner] of corners.entries()) {
    const [before, after] = [corners.at(i - 1)!, corners[(i + 1) % corners.length]!]
    const near = (other: Vector2) => corner.clone().lerp(other, away / corner.distanceTo(other))
    const [from, to] = [near(before), near(after)]
    if (i === 0) hole.moveTo(from.x, from.y)
    else hole.lineTo(from.x, from.y)
    hole.quadraticCurveTo(corner.x, corner.y, to.x, to.y)
  }
  hole.closePath()
  return hole
}

/** A moulded wheel on a sealed bearing between two steel caps: a toothed rim, a thin web with windows, a hub. */
function jockey() {
  const { shape, pitchRadius } = sprocket(teeth, 1.7)
  shape.holes.push(roundHole(0, 0, 18))
  const web = disc(19)
  const windows = Array.from({ length: 7 }, (_, i) => webWindow((i / 7) * 2 * Math.PI))
  web.holes.push(roundHole(0, 0, 8), ...windows)
  const rim = pitchRadius - 5.4
  const wheel = group(
    plate(shape, 2.5, plastic, 0.7),
    plate(web, 1.5, plastic, 0.3),
    peg(plastic, 18, -1.9, rim, -1.9, rim + 0.7, -1.2, rim + 0.7, 1.2, rim, 1.9, 18, 1.9, 18, -1.9),
    peg(plastic, 8.6, -2.6, 10.4, -2.6, 10.8, -2.2, 10.8, 2.2, 10.4, 2.6, 8.6, 2.6),
    peg(turned, 3, -2.4, 8.6, -2.4, 8.6, 2.4, 7.8, 2.4, 7.6, 2.1, 5.4, 2.1, 5.2, 2.4, 3, 2.4),
    peg(alloy, 0, -5.2, 4.4, -5.2, 4.4, 5.2, 0, 5.2),
  )
  return at(wheel, [0, 0, -9.8], [0, 0, 0.1])
}

/** A sector between two spokes, its corners round. */
function webWindow(middle: number) {
  const spot = (radius: number, off: number): Point2 => turn([radius, 0], middle + off)
  return softened([spot(12, 0.24), spot(12, -0.24), spot(17.2, -0.33), spot(17.8, 0), spot(17.2, 0.33)], 1.4)
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
