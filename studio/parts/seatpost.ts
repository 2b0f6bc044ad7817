import { LineCurve3, Vector3 } from 'three'
import { anodised, steel } from '#studio/materials.ts'
import { screw } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { write } from '#studio/shapes/lettering.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { marked } from '#studio/shapes/prints.ts'
import { blend, block, carve, common, limb, moved, pillar, type Solid, tile } from '#studio/shapes/solid.ts'
import { openEnd, tube } from '#studio/shapes/tubes.ts'
import { lathe } from '#studio/shapes/turned.ts'
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
    lathe(
      [
        [radius, top - 0.5],
        [radius - 0.5, top],
        [radius - 2, top],
      ],
      anodised,
    ),
    openEnd(new Vector3(0, 0, 0), new Vector3(0, -1, 0), radius, 2, anodised, 80),
    ...[yoke(), cradle(), clamp()].map((piece) =>
      cast(
        piece,
        [
          [-32, top - 4, -32],
          [32, rails + 18, 32],
        ],
        0.5,
        anodised,
      ),
    ),
    ...[-1, 1].map((way) =>
      group(
        at(screw(6, 32), [way * 21, rails - 17, 0], [Math.PI / 2, 0, 0]),
        at(nut(), [way * 21, rails + nutHigh, 0]),
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

/** Forged with the neck: a yoke with an ear for each bolt, its top hollow for the cradle that rocks in it. */
function yoke(): Solid {
  const neck = limb([0, top - 4, 0, 12.6], [0, top + 10, 0, 13.2], [0, rails - 20, 0, 13.6])
  const ears = tile(tongue(15.5), 9, 3)
  const solid = blend(8, neck, moved(ears, [0, rails - 15, 0]), block([0, rails - 14, 0], [30, 14, 30], 4))
  return carve(
    0.7,
    common(0.6, solid, (_x, y) => top - 1 - y, block([0, rails - 25, 0], [80, 60, 80])),
    pillar([0, rails + rock, -40], [0, rails + rock, 40], bow + 0.3),
    ...bolts((x) => pillar([x, 280, 0], [x, rails - 17, 0], 5.9)),
    ...bolts((x) => pillar([x, 280, 0], [x, 370, 0], 3.5)),
  )
}

/** The cradle's underside is part of a cylinder around the saddle's tilt. */
const [bow, rock] = [24, 12.4]

/** The lower half of the clamp: a half round under each rail, joined by a block that rocks in the yoke. */
function cradle(): Solid {
  const joined = common(
    0.8,
    block([0, rails - 6, 0], [27, 16, 46], 1.5),
    pillar([0, rails + rock, -40], [0, rails + rock, 40], bow),
  )
  const solid = blend(2, ...shells(), joined)
  return carve(
    0.5,
    common(0.5, solid, (_x, y) => y - rails + 0.6),
    ...grooves(),
    block([0, rails, 0], [60, 7, 27], 2),
    ...bolts((x) => pillar([x, 280, 0], [x, 400, 0], 4.6)),
  )
}

/** The upper half: a half round over each rail, a bridge between them with an ear for each bolt and a seat for its nut. */
function clamp(): Solid {
  const bridge = moved(tile(tongue(15), 7.4, 3), [0, rails + 4.6, 0])
  const bar = block([0, rails + 4.4, 0], [21, 7.4, 40], 2.6)
  const solid = blend(2.6, blend(3, ...shells(), bar), bridge)
  return carve(
    0.5,
    common(0.5, solid, (_x, y) => rails + 0.6 - y),
    ...grooves(),
    ...bolts((x) => pillar([x, rails + nutHigh, -20], [x, rails + nutHigh, 20], 4.5)),
    ...bolts((x) => pillar([x, 280, 0], [x, 400, 0], 3.5)),
  )
}

/** How far the nuts are above the rails. */
const nutHigh = 9.6

/** From bolt to bolt, with round ends. */
function tongue(wide: number): Point2[] {
  const [x, z] = [21 + wide / 2, wide / 2]
  return [
    [-x, -z * 0.7],
    [-x + z * 0.6, -z],
    [x - z * 0.6, -z],
    [x, -z * 0.7],
    [x, z * 0.7],
    [x - z * 0.6, z],
    [-x + z * 0.6, z],
    [-x, z * 0.7],
  ]
}

function bolts(make: (x: number) => Solid) {
  return [-21, 21].map(make)
}

/** Around rails of 7 mm, 44 mm apart. */
function shells() {
  return [-22, 22].map((z) => pillar([-17, rails, z], [17, rails, z], 7.4, 1.4))
}

function grooves() {
  return [-22, 22].map((z) => pillar([-60, rails, z], [60, rails, z], 3.55))
}

/** A round cross nut. */
function nut() {
  const solid = carve(0.5, pillar([0, 0, -7.5], [0, 0, 7.5], 4.4, 0.7), pillar([0, 2, 0], [0, 9, 0], 2.9))
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
    write(pen, String(x), x + 1.2, around * 0.25 + 7.1, 2.8, 0.13)
}
