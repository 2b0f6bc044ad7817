import { accent, alloy, anodised, polished, steel } from '#studio/materials.ts'
import { bearing } from '#studio/shapes/bearing.ts'
import { bolt } from '#studio/shapes/bolts.ts'
import { notched } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { lathe, splitRing } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const quarter = Math.PI / 2

/** Two cups with what goes above, between and below them, laid out in the order in which they are fitted. */
export function headset(): Model {
  const ring = (profile: Point2[], material = anodised) => lathe(profile, material)
  const split = (profile: Point2[]) => splitRing(profile, 1.2, quarter - 0.9, alloy)
  // Upper cup: a skirt of 34 mm to press in, a rim of 46 mm and 12 mm high.
  const upper = ring([
    [15.6, 0],
    [16.7, 0],
    [17, 0.6],
    [17, 9],
    [17, 10],
    [22.4, 10.2],
    [23, 10.8],
    [23, 14],
    [22.2, 20.6],
    [21.4, 21.4],
    [20.8, 21.2],
    [20.8, 14],
    [18.5, 12],
    [15.6, 11],
    [15.6, 0],
  ])
  const lower = ring([
    [20.4, 0],
    [21.7, 0],
    [22, 0.6],
    [22, 10],
    [27.4, 10.2],
    [28.2, 11],
    [28.2, 18],
    [27.2, 23.6],
    [26.4, 24.2],
    [25.9, 24],
    [25.9, 16],
    [23.5, 13],
    [20.4, 12],
    [20.4, 0],
  ])
  const cover = ring([
    [15, 0],
    [22.6, 0],
    [23.2, 0.6],
    [23, 2.2],
    [19.6, 7.6],
    [18.8, 8.2],
    [15, 8.2],
    [14.4, 7.6],
    [14.4, 0.6],
    [15, 0],
  ])
  const compression = split([
    [14.6, 0],
    [17.2, 0],
    [17.2, 1.2],
    [15.6, 5],
    [14.6, 5],
    [14.6, 0],
  ])
  const cap = ring([
    [3.4, 0],
    [15, 0],
    [17, 1],
    [17.2, 2.4],
    [16.6, 4.2],
    [15.4, 5],
    [8, 5.2],
    [6.6, 4],
    [6, 2.6],
    [3.4, 2.6],
    [3.4, 0],
  ])
  const screw = bolt({ radius: 4.9, height: 4.6, key: 5, shank: { radius: 3, length: 30 } })
  const crown = split([
    [20.1, 0],
    [25.4, 0],
    [26, 0.6],
    [26, 2],
    [24.4, 2.6],
    [21.6, 5.4],
    [20.6, 5.4],
    [20.1, 5],
    [20.1, 0],
  ])
  const upright = (piece: ReturnType<typeof bearing>) => at(piece, [0, 0, 0], [quarter, 0, 0])
  const small = upright(bearing(30.2, 41.8, 7, accent))
  const large = upright(bearing(40, 52, 7, accent))
  const pieces = [
    at(cap, [-66, 0, -52]),
    at(group(at(screw, [0, 0, 0], [0, -0.5, 0])), [-34, 4.9, -66]),
    at(starNut(), [0, 0, -46]),
    at(compression, [50, 0, -58]),
    at(group(cover), [-64, 0, 0]),
    at(group(small), [-2, 3.5, 2]),
    at(group(upper), [58, 0, -6]),
    at(crown, [-66, 0, 56]),
    at(group(large), [-2, 3.5, 58]),
    at(group(lower), [62, 0, 56]),
  ]
  return {
    object: group(...pieces),
    views: [
      { azimuth: 9, elevation: 52, fill: 0.9 },
      { azimuth: -24, elevation: 32, detail: { at: [37, 8, 36], width: 138 } },
    ],
  }
}

/** A sleeve with a thread that holds two steel flowers of springs. */
function starNut() {
  const flower = (y: number) =>
    at(slab(notched(8, 14.6, 7, 0.3, 0.8), 0.9, steel, { edge: 0.2 }), [0, y, 0], [quarter, 0, 0])
  const sleeve = lathe(
    [
      [3, 0],
      [4.6, 0],
      [5, 0.4],
      [5, 3.8],
      [4.2, 4],
      [4.2, 14],
      [5, 14.4],
      [5, 15.6],
      [4.6, 16],
      [3, 16],
      [3, 0],
    ],
    polished,
  )
  return group(sleeve, flower(4), flower(13))
}
