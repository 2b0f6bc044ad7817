import { CatmullRomCurve3, Vector3 } from 'three'
import { alloy, anodised, darkSteel, woven } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { at, group, type Point3 } from '#studio/shapes/pieces.ts'
import { blend, bothSides, carve, common, limb, pillar, type Solid } from '#studio/shapes/solid.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

/** From the axle to the crown race, and the rake. */
const [race, rake] = [395, 50]
/** A blade is half again as deep as it is wide. */
const depth = 0.66
const dropX = 54

/** A carbon fork for an axle of 12 x 100 mm, flat mount, its steerer uncut, lying on its back. */
export function gravelFork(): Model {
  const carbon = woven(12)
  const fork = group(
    cast(
      blades(),
      [
        [-72, -8, -34],
        [72, race + 2, 72],
      ],
      1.1,
      carbon,
    ),
    cast(
      bothSides(dropout()),
      [
        [-72, -20, 28],
        [72, 30, 72],
      ],
      0.7,
      anodised,
    ),
    at(
      lathe(
        [
          [19.9, -6],
          [19.9, 6],
          [19, 8],
          [19, 28],
          [18.2, 38],
          [14.9, 92],
          [14.3, 104],
          [14.3, 259.4],
          [13.9, 260],
          [11.4, 260],
          [11, 259.6],
          [11, 200],
          [0, 200],
        ],
        carbon,
      ),
      [0, race, 0],
    ),
    at(
      lathe(
        [
          [20, -1],
          [23, -1],
          [23.6, -0.4],
          [23.6, 1.4],
          [21, 5],
          [20, 5.4],
        ],
        alloy,
      ),
      [0, race, 0],
    ),
    ...[-1, 1].map((way) =>
      at(
        lathe(
          [
            [0, 3],
            [3.4, 2.6],
            [3.8, 1.6],
            [3.8, 0],
            [0, -2],
          ].reverse() as never,
          darkSteel,
        ),
        [way * 60.5, 22, rake - 4],
        [0, 0, (-way * Math.PI) / 2],
      ),
    ),
  )
  return {
    object: group(at(fork, [0, 0, 0], [-Math.PI / 2 + 0.06, 0, 0])),
    views: [
      { azimuth: 50, elevation: 44, roll: 4, fill: 0.92 },
      { azimuth: 30, elevation: 40, detail: { at: [0, 20, -350], width: 260 } },
    ],
  }
}

/** Both legs, the crown above them and the pad for the brake on the left. */
function blades(): Solid {
  const line = new CatmullRomCurve3(
    [
      [dropX, 6],
      [dropX, 60],
      [53.5, 150],
      [51, 250],
      [47.5, 322],
      [46.2, 344],
      [38, 366],
      [21.5, 381.5],
      [0, 387],
    ].map(([x, y]) => new Vector3(x, y, spine(y!))),
    false,
    'centripetal',
  )
  const leg = limb(
    ...line
      .getSpacedPoints(110)
      .map(({ x, y, z }, i): [...Point3, number] => [x, y, z, 8 + 8.5 * Math.min(i / 84, 1.06) ** 0.9]),
  )
  const hub = pillar([0, race - 26, 0], [0, race - 0.5, 0], 20, 2, 22.4)
  const pad = limb([dropX - 1, 62, 26, 8.5], [dropX - 1, 138, 17, 8.5])
  const back = (_x: number, y: number, z: number) => 20.4 - (y - 62) * 0.118 - z
  const top = (_x: number, y: number) => y - race + 0.6
  const all = common(3, blend(12, blend(16, bothSides(deep(leg)), hub), common(2, pad, back)), top)
  return carve(
    2,
    all,
    pillar([0, race - 60, 0], [0, race - 18, 0], 9),
    pillar([dropX + 20, 330, 16], [dropX - 8, 322, 16], 3.2),
    ...[65, 135].map((y) => pillar([dropX - 1, y, -20], [dropX - 1, y, 60], 2.8)),
  )
}

/** How far ahead of the steerer the blades are at this height. */
function spine(y: number) {
  return rake * Math.max(0, 1 - Math.max(y, 0) / 360) ** 1.25
}

/** A body deeper from front to back than from side to side, around the blades' middle. */
function deep(solid: Solid): Solid {
  return (x, y, z) => solid(x, y, spine(y) + (z - spine(y)) * depth)
}

function dropout(): Solid {
  const eye = pillar([50, 0, rake], [61.5, 0, rake], 14, 1.4)
  const stalk = limb([dropX, 26, 46, 6.5], [55.5, 4, rake, 6.5])
  return carve(0.8, blend(6, eye, stalk), pillar([40, 0, rake], [80, 0, rake], 6.1))
}
