import { CatmullRomCurve3, Vector3 } from 'three'
import type { Point2, Point3 } from '#studio/shapes/pieces.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import {
  blend,
  block,
  bothSides,
  carve,
  common,
  limb,
  moved,
  pillar,
  prism,
  ribbon,
  type Solid,
} from '#studio/shapes/solid.ts'

/** Half the distance between the legs; stanchions of 34 mm. */
export const leg = 67
/** From the axle to the top of the lowers, to the crown and to the crown race. */
export const [seal, crownLow, race] = [340, 486, 531]
/** The steerer behind the legs, and the axle ahead of them: 44 mm of offset together. */
export const [behind, ahead] = [-28, 16]

/** Both lower legs, the arch and the posts for the brake, cast in one. */
export function lowers(): Solid {
  const tube = blend(
    4,
    pillar([leg, 8, 0], [leg, 300, 0], 20.6, 2, 22),
    pillar([leg, 290, 0], [leg, seal, 0], 24.4, 3),
  )
  const foot = blend(
    16,
    pillar([leg, -16, 0], [leg, 20, 0], 15, 3),
    limb([leg - 4, 34, 4, 15], [leg - 6, 0, ahead, 15]),
  )
  const dropout = pillar([55, 0, ahead], [80, 0, ahead], 15.5, 2)
  const arch = moved(prism(ribbon(archLine(0), 25), 20, 6), [0, 0, 19])
  const hollow = moved(prism(ribbon(archLine(16), 9), 12, 2), [0, 0, 31])
  const frame = bothSides(carve(2, blend(10, blend(9, tube, foot, dropout), arch), hollow))
  const posts = [62, 136.2].map((y) =>
    blend(
      6,
      pillar([leg - 4, y, -44], [leg - 4, y, -10], 9.5, 1),
      limb([leg, y - 10, -14, 11], [leg - 4, y, -30, 9]),
    ),
  )
  const rib = limb([leg - 3, 66, -24, 7], [leg - 3, 132, -24, 7])
  return carve(
    1.2,
    blend(7, frame, rib, ...posts),
    bothSides(pillar([leg, 326, 0], [leg, 400, 0], 18.2)),
    pillar([-120, 0, ahead], [120, 0, ahead], 7.6),
    ...[62, 136.2].map((y) => pillar([leg - 4, y, -80], [leg - 4, y, -30], 3.2)),
    block([0, 0, 0], [40, 40, 2]),
  )
}

/** The arch's middle line, from a leg to the other's side, `less` of it at the leg. */
function archLine(less: number): Point2[] {
  return Array.from({ length: 121 }, (_, i) => {
    const turn = ((less + (96 - less) * (i / 120)) * Math.PI) / 180
    const [c, s] = [Math.max(Math.cos(turn), -1), Math.sin(turn)]
    return [(leg - 1) * Math.sign(c) * Math.abs(c) ** 0.8, 318 + 76 * s ** 0.85] as const
  })
}

/**
 * The crown, forged hollow and then bored: a bridge that is highest at the steerer and ends in a socket on each side,
 * seen from above as wide as what it holds, its top hollowed beside the steerer and its underside beside the sockets.
 */
export function crown(): Solid {
  const plan = blend(
    9,
    pillar([leg, 400, 0], [leg, 600, 0], 22.4),
    (x, _y, z) => bridge(x, z),
    pillar([0, 400, behind], [0, 600, behind], 27.5),
  )
  const share = (x: number) => smoothstep(x, leg - 18, 20)
  const top: Solid = (x, y) => y - (race - 4 + 4 * share(x))
  const bottom: Solid = (x, y) =>
    crownLow + 4 + 13 * smoothstep(x, leg - 19, 34) - 5 * smoothstep(x, 30, 8) - y
  const forging = common(3.2, plan, top, bottom)
  const socket = pillar([leg, crownLow - 2, 0], [leg, crownLow + 30, 0], 21.6, 2)
  const scoop = limb([46, race + 2, -6.5, 7.5], [36, race + 4.5, -14, 7.5])
  const relief = limb([42, crownLow + 12, -9, 9], [33, crownLow + 15, -17, 9])
  const side = blend(3, forging, socket)
  return bothSides(
    carve(
      1,
      carve(2.2, side, scoop, relief),
      pillar([leg, crownLow - 9, 0], [leg, crownLow + 0.6, 0], 17.9),
      pillar([0, 470, behind], [0, crownLow + 20, behind], 15),
    ),
  )
}

/** A bar from a socket to the steerer, narrower in its middle, in the xz plane. */
const bridge = ribbon(
  new CatmullRomCurve3(
    [
      [leg, 36, 0],
      [48, 33, -6],
      [30, 34, -17],
      [12, 38, behind + 5],
      [0, 40, behind + 3],
    ].map((point) => new Vector3(...point)),
  )
    .getPoints(40)
    .map(({ x, y, z }): Point3 => [x, z, y]),
)
