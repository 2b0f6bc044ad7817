import { CatmullRomCurve3, Vector3 } from 'three'
import type { Point3 } from '#studio/shapes/pieces.ts'
import {
  blend,
  block,
  carve,
  common,
  drum,
  limb,
  moved,
  prism,
  ribbon,
  type Solid,
} from '#studio/shapes/solid.ts'

const quarter = Math.PI / 2
/** The middle of the clamp along the bar. */
export const clamp = -12

function lying(solid: Solid, x: number, y: number, z: number) {
  return moved(solid, [x, y, z], [0, 0, quarter])
}

/** The cylinder along the bar, the reservoir on it, the front of the clamp and the fork for the blade. */
export function body(): Solid {
  const cylinder = lying(drum(9, 66, 2), -9, 1, 29)
  const snout = lying(drum(6.4, 16, 1.2), -41, 1, 29)
  const reservoir = common(1.6, block([-8, 2, 28], [52, 34, 21], 7.5), (_x, y) => Math.abs(y - 8) - 7.4)
  const neck = block([clamp, 0, 15], [21, 12, 22], 3)
  const fork = [-7, 7].map((y) =>
    blend(4, moved(drum(6.6, 4.4, 1), [29, y, 36]), block([21, y, 31], [18, 4.4, 13], 1.4)),
  )
  const web = block([18, 0, 29], [10, 17, 15], 3)
  const ring = collar((_x, _y, z) => 0.4 - z)
  const bar = lying(drum(11.1, 80, 0.1), clamp, 0, 0)
  const gap = block([36, 0, 40], [30, 9.4, 24], 1)
  return carve(1.4, blend(4, blend(4, cylinder, reservoir, snout, web), ...fork, neck, ring), bar, gap)
}

/** The loose half of the clamp. */
export function strap(): Solid {
  const ring = collar((_x, _y, z) => z + 0.4)
  const seats = [-5.6, 5.6].map((x) => moved(drum(4.8, 8, 0.4), [clamp + x, 17.4, -9.6], [quarter, 0, 0]))
  return carve(1.4, ring, lying(drum(11.1, 80, 0.1), clamp, 0, 0), ...seats)
}

/** One half of the clamp, with its ends: where the bolts are, and where the hinge is. */
function collar(side: Solid) {
  const lug = block([clamp, 17, 0], [22, 10, 13], 2.4)
  const hinge = lying(drum(4, 22, 0.8), clamp, -15, 0)
  return common(0.6, blend(2, lying(drum(15.2, 22, 1.2), clamp, 0, 0), blend(0, lug, hinge)), side)
}

/** The blade's middle line in the xz plane, and how wide it is there. */
const line: [x: number, z: number, width: number][] = [
  [22, 42, 9],
  [29, 37, 13],
  [40, 44, 13],
  [54, 51, 11.5],
  [72, 53, 11],
  [90, 52, 10],
  [102, 54, 9.5],
  [110, 60, 9.5],
  [115, 67, 9],
]

/** Drilled, with a hub for its pivot and a ball at its end. */
export function blade(): Solid {
  const curve = new CatmullRomCurve3(line.map(([x, z, width]) => new Vector3(x, width, z)))
  const points = Array.from({ length: 33 }, (_, i): Point3 => {
    const { x, y, z } = curve.getPoint(i / 32)
    return [x, -z, y]
  })
  const flat = moved(prism(ribbon(points), 9, 3.4), [0, 0, 0], [-quarter, 0, 0])
  const holes = (
    [
      [50, 49.5, 3.1],
      [60, 52.4, 3],
      [70, 53, 2.8],
      [79.5, 52.7, 2.6],
      [88, 52.2, 2.4],
    ] as const
  ).map(([x, z, r]) => moved(drum(r, 30, 0.1), [x, 0, z]))
  const knob = limb([114.6, 0, 66, 5], [115, 0, 67, 5])
  const hub = moved(drum(6.2, 9, 1), [29, 0, 36])
  return carve(1.6, blend(3, flat, hub, knob), ...holes)
}
