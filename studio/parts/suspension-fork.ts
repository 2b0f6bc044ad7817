import { MeshPhysicalMaterial } from 'three'
import { alloy, anodised, darkSteel, rubber, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { ahead, behind, crown, crownLow, leg, lowers, race, seal } from './suspension-fork-castings.ts'
import { airCap, dial, rebound } from './suspension-fork-dials.ts'

const paint = new MeshPhysicalMaterial({
  color: '#2c3238',
  roughness: 0.42,
  metalness: 0.25,
  clearcoat: 1,
  clearcoatRoughness: 0.12,
})
const slick = new MeshPhysicalMaterial({ color: '#8f8578', metalness: 1, roughness: 0.09 })

/** A fork of 130 mm for wheels of 29 inches, lying on its back: 531 mm from the axle to the crown. */
export function suspensionFork(): Model {
  const fork = group(
    cast(
      lowers(),
      [
        [-98, -26, -58],
        [98, 412, 48],
      ],
      1.25,
      paint,
    ),
    cast(
      crown(),
      [
        [-98, crownLow - 6, -62],
        [98, race + 10, 32],
      ],
      1,
      anodised,
    ),
    ...[-leg, leg].map((x) => group(stanchion(x), wiper(x))),
    at(steerer(), [0, race, behind]),
    at(airCap(), [leg, race - 2, 0]),
    at(dial(), [-leg, race - 2, 0]),
    at(rebound(), [-leg, -18, 0]),
    at(
      lathe(
        [
          [8, -6],
          [8, 0],
          [6, 1],
          [0, 1],
        ],
        steel,
      ),
      [leg, -17, 0],
      [Math.PI, 0, 0],
    ),
    axle(),
  )
  return {
    object: group(at(fork, [0, 0, 0], [-Math.PI / 2 - 0.035, 0, 0])),
    views: [
      { azimuth: 48, elevation: 46, roll: 6, fill: 0.92 },
      { azimuth: 150, elevation: 34, detail: { at: [0, -20, -440], width: 330 } },
    ],
  }
}

function stanchion(x: number) {
  return at(
    lathe(
      [
        [17, 300],
        [17, race - 5],
        [15, race - 4],
        [0, race - 4],
      ],
      slick,
    ),
    [x, 0, 0],
  )
}

/** The dust seal with its lip and its spring. */
function wiper(x: number) {
  return at(
    lathe(
      [
        [23, -1],
        [23, 2.2],
        [21.5, 3],
        [20.8, 3.6],
        [20.4, 5.6],
        [19.2, 6.4],
        [18.2, 8],
        [17, 8],
      ],
      rubber,
    ),
    [x, seal, 0],
  )
}

/** From 1 1/2 inch at the crown race to 1 1/8, 220 mm long. */
function steerer() {
  return group(
    lathe(
      [
        [19.9, -4],
        [19.9, 7],
        [19.05, 8],
        [19.05, 26],
        [18.4, 34],
        [14.9, 92],
        [14.3, 102],
        [14.3, 219.4],
        [13.8, 220],
        [12.4, 220],
        [12, 219.4],
        [12, 120],
        [0, 120],
      ],
      alloy,
    ),
    lathe(
      [
        [20, -0.5],
        [24.4, -0.5],
        [25, 0],
        [25, 1.6],
        [22.4, 5.6],
        [20, 6],
      ],
      steel,
    ),
  )
}

/** The thru-axle of 15 mm, its head with a socket on the right. */
function axle() {
  const shaft = lathe(
    [
      [7.4, -80],
      [7.4, 80],
      [6.6, 81],
      [4, 81],
      [4, 70],
      [0, 70],
    ],
    darkSteel,
  )
  const head = lathe(
    [
      [10.6, 79],
      [10.6, 84],
      [9.8, 85],
      [3.6, 85],
      [3.6, 80],
      [0, 80],
    ],
    anodised,
  )
  return at(group(shaft, head), [0, 0, ahead], [0, 0, Math.PI / 2])
}
