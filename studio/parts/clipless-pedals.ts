import { CatmullRomCurve3, Mesh, TubeGeometry, Vector3 } from 'three'
import { accent, anodised, darkSteel, steel } from '#studio/materials.ts'
import { bolt } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { disc, panel } from '#studio/shapes/outlines.ts'
import { pedalAxle, pedalPin } from '#studio/shapes/pedal-axle.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { blend, block, carve, common, drum, limb, moved, type Solid, tile } from '#studio/shapes/solid.ts'
import type { Model } from '#studio/view.ts'

const quarter = Math.PI / 2

/** Where the four pins of the cage's upper side stand. */
const pins: Point2[] = [
  [-24, -43],
  [24, -43],
  [-16, 43],
  [16, 43],
]

/** A pair for two-bolt cleats: the same mechanism on both sides of the axle, in a cage of 94 by 84 mm. */
export function cliplessPedals(): Model {
  const left = pedal()
  const right = left.clone()
  return {
    object: group(
      at(group(at(left, [0, 0, 0], [0, Math.PI - 0.55, 0])), [-34, 13.8, 44]),
      at(group(at(right, [0, 0, 0], [0, 0, quarter])), [42, 42, -26], [0, -quarter - 0.35, 0]),
    ),
    views: [
      { azimuth: 10, elevation: 34, fill: 0.88 },
      { azimuth: -24, elevation: 42, detail: { at: [-34, 15, 44], width: 118 } },
    ],
  }
}

function pedal() {
  const stud = pedalPin()
  const cage = cast(
    cageField(),
    [
      [-45, -10, -50],
      [45, 10, 50],
    ],
    0.9,
    anodised,
  )
  const core = cast(
    coreField(),
    [
      [-24, -13, -34],
      [46, 13, 34],
    ],
    0.8,
    anodised,
  )
  const side = group(mechanism(), ...pins.map(([x, z]) => at(stud.clone(), [x, 6.9, z])))
  const lid = at(slab(disc(7), 1.6, accent, { edge: 0.5, steps: 3 }), [-40.9, 0, 0], [0, -quarter, 0])
  return group(
    cage,
    core,
    side,
    at(side.clone(), [0, 0, 0], [Math.PI, 0, 0]),
    lid,
    at(pedalAxle(), [45, 0, 0]),
  )
}

/** The cage around it, open in the middle. */
function cageField(): Solid {
  const outer = tile(
    [
      [-42, -26],
      [-33, -47],
      [33, -47],
      [42, -30],
      [42, 30],
      [33, 47],
      [-33, 47],
      [-42, 26],
    ],
    15,
    3.5,
  )
  const window = tile(
    [
      [-33, -22],
      [-26, -39],
      [26, -39],
      [33, -24],
      [33, 24],
      [26, 39],
      [-26, 39],
      [-33, 22],
    ],
    40,
    6,
  )
  const dip: Solid = (_x, y, z) => Math.abs(y) - 5.6 - 2 * (z / 47) ** 2
  const slots = [1, -1].map((z) => block([0, 0, z * 47], [34, 6, 30], 2.9))
  const bridge = moved(drum(8, 82, 1.5), [0, 0, 0], [0, 0, quarter])
  const frame = blend(4, carve(1.2, common(1.4, outer, dip), window, ...slots), bridge)
  return carve(0.6, frame, moved(drum(7.5, 4, 0.4), [-42.4, 0, 0], [0, 0, quarter]))
}

/** The body that carries the mechanism on the axle. */
function coreField(): Solid {
  const barrel = moved(drum(11, 66, 2), [11, 0, 0], [0, 0, quarter])
  const beam = blend(4, block([0, 0, 0], [26, 12, 56], 3), block([0, 0, 0], [36, 15, 20], 3))
  return blend(4, common(1, barrel, block([11, 0, 0], [70, 30, 30], 1)), beam)
}

/** One side's binding: a fixed claw in front, a sprung one behind, its two springs and the screw that tightens them. */
function mechanism() {
  const claw = cast(
    frontClaw(),
    [
      [-22, -4, 8],
      [22, 16, 36],
    ],
    0.6,
    steel,
  )
  const jaw = cast(
    rearJaw(),
    [
      [-22, -6, -40],
      [22, 18, -6],
    ],
    0.6,
    steel,
  )
  const springs = [-1, 1].map((side) => at(coil(), [side * 9.6, 1.6, -24.5]))
  const screw = at(bolt({ radius: 3.4, height: 3, key: 3 }), [0, 4, -34], [0, Math.PI, 0])
  const rests = [-1, 1].map((side) =>
    at(slab(panel(8, 14, 1), 2, darkSteel, { edge: 0.4 }), [side * 15, 11.4, 0], [-quarter, 0, 0]),
  )
  return group(claw, jaw, ...springs, screw, ...rests)
}

function frontClaw(): Solid {
  const plate = moved(
    tile(
      [
        [-15, 14],
        [-9, 12],
        [9, 12],
        [15, 14],
        [17, 24],
        [12, 32],
        [-12, 32],
        [-17, 24],
      ],
      3.4,
      1.2,
    ),
    [0, 12, 0],
  )
  const nose = moved(drum(9.5, 30, 0.5), [0, 12, 9])
  const legs = [-1, 1].map((x) => block([x * 10.5, 5.5, 27], [4.5, 15, 9], 1.4))
  const eye = block([0, 12, 25.4], [13, 20, 5], 2.2)
  return carve(0.6, blend(2.4, carve(0.8, plate, nose), ...legs), eye)
}

function rearJaw(): Solid {
  const lip = moved(
    tile(
      [
        [-14, -13],
        [14, -13],
        [17, -22],
        [13, -30],
        [-13, -30],
        [-17, -22],
      ],
      3.4,
      1.2,
    ),
    [0, 12.4, 0],
  )
  const notch = block([0, 12, -11.5], [16, 20, 9], 2.5)
  const cheeks = [-1, 1].map((x) => limb([x * 15.4, 10, -24, 2.4], [x * 15.4, 1, -22, 3]))
  const back = moved(block([0, 0, 0], [14, 14, 3.6], 1.2), [0, 6, -31], [-0.2, 0, 0])
  return blend(2, carve(0.8, lip, notch), ...cheeks, back)
}

/** A torsion spring of five turns of 2 mm wire. */
function coil() {
  const points = Array.from({ length: 121 }, (_, i) => {
    const turn = (i / 120) * 5 * Math.PI * 2
    return new Vector3(-5 + (i / 120) * 10, 5.2 * Math.cos(turn), 5.2 * Math.sin(turn))
  })
  return new Mesh(new TubeGeometry(new CatmullRomCurve3(points), 220, 1, 10), darkSteel)
}
