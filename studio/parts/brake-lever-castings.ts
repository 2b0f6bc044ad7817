import { CatmullRomCurve3, Vector3 } from 'three'
import type { Point3 } from '#studio/shapes/pieces.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import {
  blend,
  block,
  carve,
  common,
  drum,
  limb,
  moved,
  pillar,
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

/** The blade's middle line in the xz plane, and how deep it is there. */
const line: [x: number, z: number, depth: number][] = [
  [29, 36, 13.4],
  [35.5, 41.6, 12.6],
  [44, 47.4, 11.4],
  [55, 51.2, 9.8],
  [68, 52.6, 8.8],
  [82, 52.2, 8.2],
  [95, 52.6, 7.8],
  [104, 55.6, 7.4],
  [110, 61, 7.2],
  [112.6, 67, 7.2],
]
const curve = new CatmullRomCurve3(line.map(([x, z, depth]) => new Vector3(x, depth, z)))

/** The blade seen from above, `less` deep, from one place along it to another. */
function strip(less: number, from = 0, to = 1) {
  const points = Array.from({ length: 65 }, (_, i): Point3 => {
    const { x, y, z } = curve.getPoint(from + (to - from) * (i / 64))
    return [x, -z, y - less]
  })
  return ribbon(points)
}

/**
 * Forged and then milled: round where the finger pulls, flat at the back, a pocket in both flanks, drilled through. A hub
 * for its pivot, a cam between the fork's cheeks, a boss for the reach screw.
 */
export function blade(): Solid {
  const turned = (flat: (x: number, y: number) => number, high: number, edge: number) =>
    moved(prism(flat, high, edge), [0, 0, 0], [-quarter, 0, 0])
  const height: Solid = (x, y) => Math.abs(y) - 5.7 + 1.3 * smoothstep(x, 50, 112)
  const arm = common(1.6, turned(strip(0), 40, 0), height)
  const finger = limb(
    ...[0.38, 0.5, 0.62, 0.74, 0.84, 0.92, 0.98].map((share): [...Point3, number] => {
      const { x, y, z } = curve.getPoint(share)
      return [x - 0.6, 0, z + y * 0.14, y * 0.5 + 0.5]
    }),
  )
  const pocket = common(1.4, turned(strip(4.4, 0.3, 0.88), 40, 0), (x, y, z) => -height(x, y, z) - 1.5)
  const holes = [0.34, 0.425, 0.51, 0.59, 0.665].map((share, i) => {
    const { x, z } = curve.getPoint(share)
    return moved(drum(2.5 - i * 0.22, 30, 0.1), [x, 0, z])
  })
  const hub = moved(drum(6.7, 8.6, 0.6), [29, 0, 36])
  const cam = moved(
    prism(
      ribbon([
        [29, -36, 11],
        [21.5, -33.5, 6],
      ]),
      8.4,
      1,
    ),
    [0, 0, 0],
    [-quarter, 0, 0],
  )
  const boss = pillar([38.4, 0, 43.6], [...reachScrew], 5.6, 0.8)
  const solid = carve(0.6, blend(1.6, arm, finger, boss), pocket, ...holes)
  return blend(
    0.8,
    carve(0.8, solid, moved(carve(1.6, drum(12.4, 30), block([0, 0, 0], [40, 8.8, 40])), [29, 0, 36])),
    hub,
    cam,
  )
}

/** Where the reach screw leaves the blade, forwards and inwards. */
export const reachScrew = [34.6, 0, 51.4] as const
