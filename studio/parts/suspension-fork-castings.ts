import type { Point2 } from '#studio/shapes/pieces.ts'
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
  return Array.from({ length: 25 }, (_, i) => {
    const turn = ((less + (96 - less) * (i / 24)) * Math.PI) / 180
    const [c, s] = [Math.max(Math.cos(turn), -1), Math.sin(turn)]
    return [(leg - 1) * Math.sign(c) * Math.abs(c) ** 0.8, 318 + 76 * s ** 0.85] as const
  })
}

/** The forged crown between the stanchions and the steerer. */
export function crown(): Solid {
  const sockets = bothSides(pillar([leg, crownLow, 0], [leg, race + 4, 0], 23.2, 3))
  const beam = bothSides(
    limb([leg, 512, 0, 17], [44, 514, -7, 17], [22, 515, -19, 18], [0, 515, behind + 3, 18]),
  )
  const hub = pillar([0, 492, behind], [0, race, behind], 28, 3)
  const pocket = bothSides(limb([36, 486, -2, 11], [24, 484, -14, 14], [0, 480, behind, 18]))
  return carve(
    4,
    blend(
      16,
      common(6, beam, (_x, y) => y - 528),
      sockets,
      hub,
    ),
    pocket,
  )
}
