import { anodised } from '#studio/materials.ts'
import { screw } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import {
  blend,
  block,
  carve,
  common,
  moved,
  pillar,
  polygon,
  prism,
  type Solid,
} from '#studio/shapes/solid.ts'
import type { Model } from '#studio/view.ts'

const rise = (6 * Math.PI) / 180
const reach = 60
/** The four bolts of the face plate, up and sideways from the bar's middle. */
const bolts: Point2[] = [
  [20.8, 15.5],
  [20.8, -15.5],
  [-20.8, 15.5],
  [-20.8, -15.5],
]

/** A stem 60 mm long and 40 mm high for a steerer of 28.6 mm and a bar of 31.8 mm, standing. */
export function stem(): Model {
  const front = group(
    cast(
      facePlate(),
      [
        [60, -28, -25],
        [84, 28, 25],
      ],
      0.55,
      anodised,
    ),
    ...bolts.map(([y, z]) => at(screw(5, 8), [67.6, y, z], [0, Math.PI / 2, 0])),
  )
  front.rotation.z = rise
  const object = group(
    cast(
      body(),
      [
        [-30, -24, -26],
        [66, 36, 26],
      ],
      0.6,
      anodised,
    ),
    front,
    ...[-10, 10].map((y) => at(screw(5, 16), [-19.6, y, 9.6])),
  )
  return {
    object,
    views: [
      { azimuth: 38, elevation: 27, fill: 0.76 },
      { azimuth: 128, elevation: 40, fill: 0.8 },
    ],
  }
}

/** The arm along x, not yet bored: where its outlines from the side and from above agree. */
function arm(): Solid {
  const side = polygon(
    bothWays([
      [-6, 17.5],
      [24, 16.5],
      [40, 19],
      [48, 25.2],
      [59.4, 25.8],
    ]),
  )
  const plan = polygon(
    bothWays([
      [-6, 16.5],
      [20, 14.5],
      [32, 15],
      [44, 22],
      [59.4, 22.8],
    ]),
  )
  return common(3, prism(side, 60), moved(prism(plan, 60), [0, 0, 0], [Math.PI / 2, 0, 0]))
}

function body(): Solid {
  const window = prism(
    polygon([
      [22.5, -9.5],
      [22.5, 9.5],
      [36, 11],
      [39, 6],
      [39, -6],
      [36, -11],
    ]),
    80,
    3,
  )
  const bosses = block([58, 29, 0], [20, 18, 16], 5)
  const bored = carve(
    1,
    arm(),
    pillar([reach, 0, -40], [reach, 0, 40], 15.9),
    window,
    bosses,
    mirroredDown(bosses),
  )
  const barrel = blend(5, pillar([0, -20, 0], [0, 20, 0], 18.6, 1.6), block([-17, 0, 0], [17, 39, 27], 4))
  return carve(
    1.2,
    blend(6, barrel, moved(bored, [0, 0, 0], [0, 0, rise])),
    moved(window, [0, 0, 0], [0, 0, rise]),
    pillar([0, -40, 0], [0, 40, 0], 14.3),
    block([-24, 0, 0], [30, 60, 2.4]),
    ...[-10, 10].map((y) => pillar([-19.6, y, 9.6], [-19.6, y, 40], 4.7)),
  )
}

function facePlate(): Solid {
  const behind = block([30, 0, 0], [62.6, 100, 100])
  const shell = blend(
    3,
    pillar([reach, 0, -22.8], [reach, 0, 22.8], 20.6, 2),
    block([64.5, 0, 0], [8, 51.6, 45.6], 2.5),
  )
  const notch = block([70, 29, 0], [40, 16, 15], 4)
  return carve(
    1.2,
    shell,
    behind,
    pillar([reach, 0, -40], [reach, 0, 40], 15.9),
    block([80, 0, 0], [30, 17, 25], 4),
    notch,
    mirroredDown(notch),
    ...bolts.map(([y, z]) => pillar([67.6, y, z], [90, y, z], 5.2)),
  )
}

function mirroredDown(solid: Solid): Solid {
  return (x, y, z) => solid(x, -y, z)
}

function bothWays(half: Point2[]): Point2[] {
  return [...half, ...half.map(([x, y]) => [x, -y] as const).reverse()]
}
