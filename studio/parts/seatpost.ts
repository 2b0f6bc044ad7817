import { LineCurve3, Vector3 } from 'three'
import { anodised, steel } from '#studio/materials.ts'
import { screw } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { write } from '#studio/shapes/lettering.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { marked } from '#studio/shapes/prints.ts'
import { blend, block, bothSides, carve, common, limb, pillar, type Solid } from '#studio/shapes/solid.ts'
import { openEnd, tube } from '#studio/shapes/tubes.ts'
import type { Model } from '#studio/view.ts'

const radius = 13.6
/** Where the tube ends and the head begins. */
const top = 312
const rails = 350

/** A post of 27.2 mm, 350 mm long, with a head for rails of 7 mm and two bolts, lying on its back. */
export function seatpost(): Model {
  const line = new LineCurve3(new Vector3(0, 0, 0), new Vector3(0, top, 0))
  const finish = marked(anodised, [top, 2 * Math.PI * radius], drawMarks, 6)
  const post = group(
    tube(line, () => radius, finish, { steps: 8, sides: 96, side: [0, 0, 1] }),
    openEnd(new Vector3(0, 0, 0), new Vector3(0, -1, 0), radius, 2, anodised, 80),
    cast(
      head(),
      [
        [-32, top - 6, -30],
        [32, rails + 4, 30],
      ],
      0.6,
      anodised,
    ),
    cast(
      clamp(),
      [
        [-32, rails - 2, -30],
        [32, rails + 18, 30],
      ],
      0.55,
      anodised,
    ),
    ...[-1, 1].map((way) =>
      group(
        at(screw(6, 32), [way * 21, rails - 17, 0], [Math.PI / 2, 0, 0]),
        at(nut(), [way * 21, rails + 8.5, 0]),
      ),
    ),
  )
  // It lies on the bottom of its tube and on a corner of its clamp.
  const object = group(at(post, [0, 0, 0], [Math.PI / 2 - 0.035, 0.25, 0]))
  return {
    object,
    views: [
      { azimuth: 48, elevation: 34, roll: 6, fill: 0.9 },
      { azimuth: -52, elevation: 32, detail: { at: [0, 0, 335], width: 130 } },
    ],
  }
}

function head(): Solid {
  const cradle = block([0, rails - 5, 0], [34, 12, 52], 2.5)
  const wings = block([0, rails - 12, 0], [55, 10, 17], 4)
  const neck = limb([0, top - 10, 0, 13.4], [0, top + 14, 0, 13], [0, rails - 10, 0, 15])
  const solid = common(1, blend(9, neck, cradle, wings), block([0, rails - 25, 0], [80, 48, 80]))
  return carve(
    0.8,
    common(0.6, solid, (_x, y) => top - 2 - y),
    ...grooves(),
    ...[-1, 1].map((way) => pillar([way * 21, 300, 0], [way * 21, rails - 17, 0], 5.8)),
    ...[-1, 1].map((way) => pillar([way * 21, 300, 0], [way * 21, 370, 0], 3.4)),
    bothSides(pillar([0, rails + 4, 0], [0, rails - 12, 0], 6)),
  )
}

function clamp(): Solid {
  const plates = blend(
    4,
    block([0, rails + 4.2, 0], [32, 7, 52], 2.5),
    block([0, rails + 6, 0], [58, 9, 15], 3.5),
  )
  return carve(
    0.8,
    plates,
    ...grooves(),
    ...[-1, 1].map((way) => pillar([way * 21, rails + 8, -20], [way * 21, rails + 8, 20], 4.6)),
  )
}

/** For rails of 7 mm, 44 mm apart. */
function grooves() {
  return [-22, 22].map((z) => pillar([-60, rails, z], [60, rails, z], 3.6))
}

/** A round cross nut. */
function nut() {
  const solid = carve(0.5, pillar([0, 0, -9], [0, 0, 9], 4.4, 0.7), pillar([0, 2, 0], [0, 9, 0], 2.9))
  return cast(
    solid,
    [
      [-6, -6, -11],
      [6, 6, 11],
    ],
    0.45,
    steel,
  )
}

/** Insertion marks every 5 mm above the minimum line at 100 mm. */
function drawMarks(pen: CanvasRenderingContext2D) {
  const around = 2 * Math.PI * radius
  pen.lineWidth = 0.6
  for (const middle of [0, 0.25, 0.5, 0.75, 1].map((share) => share * around)) {
    for (let x = 100; x <= 270; x += 5) {
      const long = (x - 100) % 25 === 0
      pen.fillRect(x - 0.25, middle - (long ? 6 : 3.5), 0.5, long ? 12 : 7)
    }
  }
  pen.fillRect(99, 0, 1.2, around)
  for (let i = 0; i < 24; i++) pen.fillRect(94, (i / 24) * around, 3.4, around / 60)
  for (const x of [125, 150, 175, 200, 225, 250])
    write(pen, String(x), x + 1.2, around * 0.25 + 4.9, 2.8, 0.13)
}
