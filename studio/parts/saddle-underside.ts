import { Vector3 } from 'three'
import { steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { at, group, type Point2, type Point3 } from '#studio/shapes/pieces.ts'
import { marked } from '#studio/shapes/prints.ts'
import { blend, block, bothSides, carve, common, pillar, ribbon, type Solid } from '#studio/shapes/solid.ts'
import { bent, tube } from '#studio/shapes/tubes.ts'
import { ceiling, nylon } from './saddle-form.ts'

/** A rail from the nose to the wing: straight where the post holds it, 44 mm from the other. */
const [nose, front, back, wing] = [
  [5.5, 12, 119],
  [22, -20.5, 42],
  [22, -20.5, -24],
  [34.5, 19, -112],
] as const satisfies Point3[]

/** The rails in their sockets, and what the mould gave the shell: ribs, and the name at the back. */
export function underside() {
  const name = at(figures('FERNHOLT', 5.6, nylon), [0, ceiling(-103) - 0.3, -103], [Math.PI / 2, 0, 0])
  name.scale.z = 22
  return group(ribs(), sockets(), name, ...[-1, 1].map((way) => rail(way)))
}

/** 7 mm, drawn and bent cold, with a scale where the post holds it. */
function rail(way: number) {
  const mirrored = ([x, y, z]: Point3) => [way * x, y, z] as const
  const line = bent([
    [...mirrored(nose), 0],
    [...mirrored(front), 11],
    [...mirrored(back), 11],
    [...mirrored(wing), 0],
  ])
  const length = line.getLength()
  const scale = marked(
    steel,
    [length, 22],
    (pen) => {
      pen.fillStyle = '#4a4b4d'
      for (let i = -4; i <= 4; i++) {
        const long = i % 4 === 0 ? 5 : 2.6
        for (const share of [0.25, 0.75])
          pen.fillRect(length * 0.478 + i * 5 - 0.2, share * 22 - long / 2, 0.4, long)
      }
    },
    12,
  )
  return tube(line, () => 3.5, scale, { steps: 500, sides: 40, side: [0, 1, 0] })
}

/** Two ribs along the shell, what stiffens them, and what leads the wings' load to the sockets. */
function ribs() {
  const lines: Point2[][] = [
    [
      [10, 86],
      [10, -90],
    ],
    ...[70, 48, 26, 4, -18, -40, -62].map((z): Point2[] => [
      [0, z],
      [10, z],
    ]),
    [
      [10, -10],
      [33, -84],
    ],
    [
      [10, -62],
      [33, -92],
    ],
    [
      [0, -90],
      [36, -90],
    ],
  ]
  const flats = lines.map((line) => ribbon(line, 2.2))
  const walls: Solid = (x, _y, z) => Math.min(...flats.map((flat) => flat(Math.abs(x), z)))
  const solid = common(
    0.8,
    walls,
    (_x, y, z) => ceiling(z) - 6.5 - y,
    (_x, y, z) => y - ceiling(z) - 3,
  )
  return cast(
    solid,
    [
      [-60, 6, -94],
      [60, 36, 90],
    ],
    0.7,
    nylon,
  )
}

/** Where the rails are held: both under the nose, one under each wing, moulded on the shell. */
function sockets() {
  const ahead = blend(
    1.5,
    block([0, 7.5, 112], [23, 17, 28], 4.5),
    bothSides(housing(toward(nose, front, 27), nose, 5.7)),
  )
  const behind = bothSides(housing(toward(wing, back, 33), toward(wing, back, -3), 7))
  const bores = bothSides(
    blend(
      0,
      pillar(toward(nose, front, 10), toward(nose, front, 40), 3.9),
      pillar(toward(wing, back, 10), toward(wing, back, 50), 3.9),
    ),
  )
  return cast(
    carve(0.5, blend(0, ahead, behind), bores),
    [
      [-60, -6, -124],
      [60, 34, 128],
    ],
    0.7,
    nylon,
  )
}

/** The point this far from one towards another. */
function toward(from: Point3, to: Point3, away: number): Point3 {
  const start = new Vector3(...from)
  return start.addScaledVector(new Vector3(...to).sub(start).normalize(), away).toArray()
}

/** What is moulded around a rail's end: round below it, with straight walls from there to the shell. */
function housing(mouth: Point3, end: Point3, radius: number): Solid {
  const from = new Vector3(...mouth)
  const along = new Vector3(...end).sub(from)
  const length = along.length()
  along.normalize()
  const across = new Vector3().crossVectors(along, new Vector3(0, 1, 0)).normalize()
  const up = new Vector3().crossVectors(across, along)
  const local = new Vector3()
  const wall: Solid = (x, y, z) => {
    local.set(x, y, z).sub(from)
    return Math.hypot(local.dot(across), Math.min(local.dot(up), 0)) - radius
  }
  const ends: Solid = (x, y, z) => Math.abs(local.set(x, y, z).sub(from).dot(along) - length / 2) - length / 2
  return common(1.4, wall, ends, (_x, y, z) => y - ceiling(z) + 2)
}
