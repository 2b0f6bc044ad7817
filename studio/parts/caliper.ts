import { CylinderGeometry, Mesh, MeshPhysicalMaterial } from 'three'
import { accent, alloy, anodised, steel } from '#studio/materials.ts'
import { bolt, hollow } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { banjo, bleedPort } from '#studio/shapes/hydraulics.ts'
import { disc, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { blend, block, carve, common, drum, moved, prism, rounded, type Solid } from '#studio/shapes/solid.ts'
import type { Model } from '#studio/view.ts'
import { pad } from './brake-pads.ts'

const quarter = Math.PI / 2
const phenolic = new MeshPhysicalMaterial({ color: '#3d3530', roughness: 0.45 })

/**
 * A caliper around a rotor in the plane x = 0, its mouth at the bottom: two halves 62 mm long, two pistons of 16 mm in
 * each, 74 mm between its mounting bolts. It lies on its inner half.
 */
export function caliper(): Model {
  const halves = [1, -1].map((side) => {
    const from = side > 0 ? 0 : -26
    return cast(
      half(side),
      [
        [from - 1, -23, -47],
        [from + 27, 24, 47],
      ],
      0.6,
      anodised,
    )
  })
  const whole = group(
    ...halves,
    ...pistons(),
    ...pads(),
    ...bolts(),
    at(banjo(), [25, -11, -27], [0.3, 0, 0]),
    at(bleedPort(), [14, 18, 21]),
  )
  whole.rotation.z = quarter
  const turned = group(whole)
  turned.rotation.y = quarter
  return {
    object: group(turned),
    views: [
      { azimuth: 28, elevation: 40, fill: 0.88 },
      { azimuth: 204, elevation: 27, detail: { at: [0, -1, 0], width: 118 } },
    ],
  }
}

/** Half the body; the inner one, at negative x, carries the ears. */
function half(side: number): Solid {
  const outline: Point2[] = [
    [-31, -13],
    [-25, -19],
    [25, -19],
    [31, -13],
    [31, 7],
    [25, 18],
    [17, 20.5],
    [-17, 20.5],
    [-25, 18],
    [-31, 7],
  ]
  const leg = moved(prism(rounded(outline, 2.6), 19, 2.6), [side * 9.5, 0, 0], [0, quarter, 0])
  const bosses = [-11, 11].map((z) => moved(drum(10.6, 24, 1.6), [side * 11.4, -4, z], [0, 0, quarter]))
  const ears = side < 0 ? [-1, 1].map(ear) : []
  const seats = [moved(drum(6.8, 12, 1.2), [side * 15, -11, -27], [0, 0, quarter])]
  const solid = blend(3, blend(3.5, leg, ...bosses), ...ears, ...(side > 0 ? seats : []))
  const mouth = block([0, -20.4, 0], [16.4, 60, 48.6], 1.5)
  const window = block([0, 20, 0], [16.4, 60, 35], 2.5)
  const rotorSlot = block([0, -21, 0], [4.6, 60, 120], 1.5)
  const pockets = [-24.4, 24.4].map((z) => moved(drum(4.9, 5, 0.4), [side * 20, 13.2, z], [0, 0, quarter]))
  const relief = block([side * 19.4, 14.6, 0], [3, 9, 20], 1.4)
  const slots = side < 0 ? [-37, 37].map((z) => block([-14, 0, z], [10, 40, 6.6], 3.2)) : []
  const cut: Solid = (x) => 0.12 - side * x
  return common(0.7, carve(0.8, solid, mouth, window, rotorSlot, ...pockets, relief, ...slots), cut)
}

/** A post mount's ear, 11 mm thick. */
function ear(side: number): Solid {
  const eye = moved(drum(7.6, 11, 1.2), [-14, 3, side * 37])
  const arm = block([-13, 3, side * 30], [14, 11, 16], 1.4)
  return blend(2, eye, arm)
}

function pistons() {
  return [1, -1].flatMap((side) =>
    [-11, 11].map((z) =>
      at(new Mesh(new CylinderGeometry(8, 8, 5, 64), phenolic), [side * 9.9, -4, z], [0, 0, quarter]),
    ),
  )
}

/** The pads, each with a radiator pressed onto its back plate, and the pin through their eyes. */
function pads() {
  const one = pad()
  const cooler = cast(
    radiator(),
    [
      [-20, 8, -16],
      [20, 38, 0],
    ],
    0.35,
    alloy,
  )
  const rivets = [-10, 10].map((x) =>
    at(slab(disc(1.7), 0.8, steel, { edge: 0.3, steps: 3 }), [x, 21.1, -4.9]),
  )
  const both = [1, -1].map((side) => {
    const whole = group(one.clone(), cooler.clone(), ...rivets.map((rivet) => rivet.clone()))
    return at(group(whole), [side * 4.9, -2, 0], [0, -side * quarter, 0])
  })
  const pin = at(
    bolt({ radius: 3.4, height: 2.6, key: 3, shank: { radius: 2, length: 44, thread: 5 } }),
    [19, 15, 0],
    [0, quarter, 0],
  )
  return [...both, pin]
}

/** Pressed from aluminium: a leaf along the back plate, and above the body thin fins that the air passes between. */
function radiator(): Solid {
  const leaf = block([0, 23.1, -3.6], [31, 23.2, 1.8], 0.4)
  const fins = [25.2, 28.2, 31.2, 34.2].map((y, i) => {
    const [wide, deep] = [33 - i * 1.2, 9.4 - i * 0.6]
    const flat = rounded(
      [
        [-wide / 2, 3.6],
        [wide / 2, 3.6],
        [wide / 2 - 1.6, 3.6 + deep],
        [1.6 - wide / 2, 3.6 + deep],
      ],
      1.8,
    )
    return moved(prism(flat, 1.1, 0.35), [0, y, 0], [-quarter, 0, 0])
  })
  const holes = [-9, 0, 9].map((x) => moved(drum(1.5, 40, 0), [x, 30, -7.4]))
  const eye = moved(drum(4.4, 20, 0), [0, 17, -4], [quarter, 0, 0])
  return carve(0.2, blend(0.9, leaf, ...fins), ...holes, eye, block([0, 10, -3], [60, 6, 20]))
}

function bolts() {
  const body = [-24.4, 24.4].map((z) =>
    at(
      bolt({ radius: 4.3, height: 4.6, key: 5, lobes: true, material: steel }),
      [17.6, 13.2, z],
      [0, quarter, 0],
    ),
  )
  const caps = [-11, 11].map((z) => at(cap(), [23.4, -4, z], [0, quarter, 0]))
  const posts = [-37, 37].map((z) =>
    at(
      group(
        bolt({
          radius: 5,
          height: 5.6,
          key: 5,
          material: steel,
          shank: { radius: 3, length: 26, thread: 14 },
        }),
        at(slab(disc(6.6, 3.1), 1.4, steel, { edge: 0.3 }), [0, 0, -0.7]),
      ),
      [-14, 9.9, z],
      [-quarter, 0, 0],
    ),
  )
  return [...body, ...caps, ...posts]
}

/** What closes a piston's bore, with two holes for its spanner. */
function cap() {
  const [face, rim] = [disc(6.6), disc(8.2, 6.9)]
  for (const x of [-4, 4]) face.holes.push(roundHole(x, 0, 1.2))
  return group(
    slab(rim, 2, accent, { edge: 0.5, curve: 48 }),
    slab(face, 1.4, accent, { edge: 0.3, curve: 48 }),
    at(slab(disc(7), 0.6, hollow, { edge: 0 }), [0, 0, -0.4]),
  )
}
