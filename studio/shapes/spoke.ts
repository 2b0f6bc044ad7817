import { type Material, MeshPhysicalMaterial, Quaternion, Shape, Vector3 } from 'three'
import { accent, steel } from '#studio/materials.ts'
import { at, group, type Point2 } from './pieces.ts'
import { plate } from './plate.ts'
import { swept } from './swept.ts'
import { lathe } from './turned.ts'

const y = new Vector3(0, 1, 0)

/** Alloy anodised in the colour of copper. */
export const copper = accent.clone()
copper.color.set('#c07a52')
copper.roughness = 0.26

/** The dark in a hole. */
export const dark = new MeshPhysicalMaterial({ color: '#060607', roughness: 0.9 })

interface Lie {
  /** The middle of the hub's hole, and the way in which the spoke goes through it. */
  hole: Vector3
  through: Vector3
  /** Where it is bent a little on its way, as laced spokes are where they cross. */
  by?: Vector3
  /** Its end, in the nipple. */
  end: Vector3
}

/** A J-bend spoke of 2.0/1.8/2.0 mm with its head, and 10 mm of thread of 56 to the inch. */
export function spoke(
  { hole, through, by, end }: Lie,
  material: Material = steel,
  sides = 16,
  thread = true,
) {
  const stations: Vector3[] = []
  const radii: number[] = []
  const pass = (point: Vector3, radius = 1) => {
    stations.push(point)
    radii.push(radius)
  }
  const corner = hole.clone().addScaledVector(through, 3.4)
  const way = (by ?? end).clone().sub(corner).normalize()
  for (const [from, radius] of head) pass(hole.clone().addScaledVector(through, from), radius)
  const bend = 3
  for (let i = 0; i <= 12; i++) {
    const t = i / 12
    const [a, b] = [bend * (1 - t) ** 2, bend * t ** 2]
    pass(corner.clone().addScaledVector(through, -a).addScaledVector(way, b))
  }
  const start = corner.clone().addScaledVector(way, bend)
  const total = start.distanceTo(end)
  const along = (distance: number) => {
    if (!by) return start.clone().lerp(end, distance / total)
    const first = start.distanceTo(by)
    if (distance < first) return start.clone().lerp(by, distance / first)
    return by.clone().lerp(end, (distance - first) / (total - first))
  }
  for (const [distance, radius] of [
    [16, 1],
    [17, 1],
    [24, 0.9],
    [25, 0.9],
    [total - 34, 0.9],
    [total - 33, 0.9],
    [total - 26, 1],
    [total - 25, 1],
  ] as const)
    pass(along(distance), radius)
  const turns = thread ? 22 : 0
  for (let i = 0; i <= turns * 2; i++) pass(along(total - 10 + i * 0.227), i % 2 ? 1.07 : 0.88)
  pass(along(total), 0.8)
  pass(along(total), 0)
  return swept(stations, (i) => radii[i]!, material, { sides })
}

/** The head: 4.5 mm wide, domed outside and conical where it lies in the flange. */
const head: Point2[] = [
  [-3.1, 0],
  [-3.08, 0.8],
  [-2.9, 1.5],
  [-2.55, 2.05],
  [-2.2, 2.25],
  [-1.9, 2.25],
  [-1.75, 2.1],
  [-1.3, 1.25],
  [-1.0, 1.0],
  [-0.6, 1.0],
]

/** A nipple 12 mm long: its head at the top, its square body for the key below, the spoke enters from below. */
export function nipple(material: Material = copper) {
  const top = lathe(
    [
      [2, 7.6],
      [2.05, 8.1],
      [2.9, 9.3],
      [3.05, 9.8],
      [3.05, 10.5],
      [2.7, 11.3],
      [2, 11.8],
      [1.5, 11.95],
      [1.3, 11.6],
      [1.3, 8],
    ],
    material,
    48,
  )
  const bottom = lathe(
    [
      [1.15, 2],
      [1.15, 0.2],
      [1.3, 0],
      [1.6, 0],
      [1.8, 0.2],
      [1.85, 0.5],
      [1.95, 1.2],
    ],
    material,
    48,
  )
  const keyed = at(plate(square(2.1, 1.68), 7.6, material, 0.25, 8), [0, 4.6, 0], [-Math.PI / 2, 0, 0])
  const slot = at(plate(bar(3.3, 0.8), 0.3, dark, 0), [0, 11.86, 0], [-Math.PI / 2, 0, 0])
  return group(top, bottom, keyed, slot)
}

/** Round stock with four flats. */
function square(radius: number, flat: number) {
  const shape = new Shape()
  const open = Math.acos(flat / radius)
  for (let side = 0; side < 4; side++) {
    const middle = (side * Math.PI) / 2
    const [from, to] = [middle + open, middle + Math.PI / 2 - open]
    shape.absarc(0, 0, radius, from, to, false)
  }
  return shape
}

function bar(long: number, wide: number) {
  const [a, b] = [long / 2, wide / 2]
  const shape = new Shape().moveTo(-a, -b) as Shape
  shape.lineTo(a, -b).lineTo(a, b).lineTo(-a, b)
  return shape
}

/** Puts a nipple on the end of a spoke that comes from `from`, so far that the spoke ends `inside` mm in it. */
export function screwed(piece: ReturnType<typeof nipple>, from: Vector3, end: Vector3, inside = 10) {
  const way = end.clone().sub(from).normalize()
  piece.quaternion.copy(new Quaternion().setFromUnitVectors(y, way))
  piece.position.copy(end).addScaledVector(way, -inside)
  return piece
}
