import { accent, anodised } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { disc } from '#studio/shapes/outlines.ts'
import { pedalAxle, pedalPin } from '#studio/shapes/pedal-axle.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { blend, carve, common, drum, moved, type Solid, tile } from '#studio/shapes/solid.ts'
import type { Model } from '#studio/view.ts'

const quarter = Math.PI / 2

/** Where the twelve pins of the upper side stand; the lower side's are turned around the axle. */
const pins: Point2[] = [
  ...[-38, -15, 8, 31].map((x): Point2 => [x, -46]),
  ...[-31, -8, 15, 38].map((x): Point2 => [x, 46]),
  [-43.5, -20],
  [-43.5, 13],
  [43.5, -13],
  [43.5, 20],
]

/** A pair of flats, 104 mm long, 100 wide and 17 thick, hollowed by 2 mm, twelve pins a side. */
export function platformPedals(): Model {
  const left = pedal()
  const right = left.clone()
  return {
    object: group(
      at(group(at(left, [0, 0, 0], [0, Math.PI - 0.55, 0])), [-36, 12.8, 48]),
      at(group(at(right, [0, 0, 0], [0, 0, quarter])), [46, 50, -26], [0, -quarter - 0.35, 0]),
    ),
    views: [
      { azimuth: 10, elevation: 34, fill: 0.88 },
      { azimuth: -30, elevation: 40, detail: { at: [-36, 12, 48], width: 138 } },
    ],
  }
}

function pedal() {
  const body = cast(
    bodyField(),
    [
      [-53, -11, -55],
      [53, 11, 55],
    ],
    0.9,
    anodised,
  )
  const stud = pedalPin()
  const studs = [1, -1].flatMap((side) =>
    pins.map(([x, z]) => at(stud.clone(), [x, side * 7.6, z * side], [side < 0 ? Math.PI : 0, 0, 0])),
  )
  const lid = at(slab(disc(6.6), 1.6, accent, { edge: 0.5, steps: 3 }), [-48.9, 0, 0], [0, -quarter, 0])
  return group(body, ...studs, lid, at(pedalAxle(), [49.6, 0, 0]))
}

function bodyField(): Solid {
  const platform = tile(
    [
      [-50, -33],
      [-41, -52],
      [40, -52],
      [50, -38],
      [50, 38],
      [40, 52],
      [-41, 52],
      [-50, 33],
    ],
    26,
    5,
  )
  const concave: Solid = (_x, y, z) => Math.abs(y) - 6.5 - 2 * (z / 52) ** 2
  const spine = moved(drum(8.6, 100, 1.5), [0, 0, 0], [0, 0, quarter])
  const windows = [1, -1].flatMap((end) => [
    tile(
      [
        [-38, end * 13],
        [-6, end * 13],
        [-12, end * 39.5],
        [-34, end * 39.5],
        [-38, end * 31],
      ],
      40,
      3.5,
    ),
    tile(
      [
        [2, end * 13],
        [38, end * 13],
        [38, end * 32],
        [34, end * 39.5],
        [-4, end * 39.5],
      ],
      40,
      3.5,
    ),
  ])
  const holes: Solid = (x, y, z) => {
    let nearest = Number.POSITIVE_INFINITY
    for (const [px, pz] of pins)
      for (const side of [1, -1]) nearest = Math.min(nearest, Math.hypot(x - px, z - side * pz) - 2.25)
    return Math.max(nearest, Math.abs(y) - 20)
  }
  const solid = blend(5, common(1.6, platform, concave), spine)
  return carve(
    0.9,
    carve(1.6, solid, ...windows),
    holes,
    moved(drum(7, 4, 0.4), [-50, 0, 0], [0, 0, quarter]),
  )
}
