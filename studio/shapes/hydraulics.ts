import { Vector3 } from 'three'
import { anodised, rubber, steel } from '#studio/materials.ts'
import { bolt, hollow } from './bolts.ts'
import { disc } from './outlines.ts'
import { at, group, type Point3 } from './pieces.ts'
import { slab } from './slab.ts'
import { rod } from './tubes.ts'
import { lathe } from './turned.ts'

const quarter = Math.PI / 2

/**
 * The joint of the hose: a ring between two washers under a hollow bolt, the hose pressed into its ferrule. The bolt's
 * head looks along +x, the hose runs towards -z.
 */
export function banjo() {
  const ring = lathe(
    [
      [3.4, -3.2],
      [6.4, -3.2],
      [6.8, -2.8],
      [6.8, 2.8],
      [6.4, 3.2],
      [3.4, 3.2],
    ],
    anodised,
    64,
  )
  const washer = (y: number) =>
    at(slab(disc(6.2, 3.4), 0.8, steel, { edge: 0.2 }), [0, y, 0], [quarter, 0, 0])
  const ferrule = lathe(
    [
      [0, 5],
      [3.2, 5],
      [3.2, 9],
      [3.9, 9.4],
      [3.9, 12],
      [3.4, 12.4],
      [3.4, 24],
      [3, 24.6],
      [2.5, 24.6],
    ],
    anodised,
    48,
  )
  const screw = bolt({ radius: 5, height: 4.6, key: 5, material: steel })
  return group(
    group(at(group(ring, washer(-3.7), washer(3.7)), [0, 0, 0], [0, 0, quarter])),
    at(ferrule, [0, 0, 0], [-quarter, 0, 0]),
    hose([
      [0, 0, -24],
      [0, 0, -30],
      [-0.5, 2, -38],
      [-1.5, 8, -46],
      [-2.5, 13, -50],
    ]),
    at(screw, [4.1, 0, 0], [0, quarter, 0]),
  )
}

/** Where air leaves: a nipple under a rubber cap, standing along +y. */
export function bleedPort() {
  return lathe(
    [
      [4.2, 0],
      [4.2, 2.6],
      [3, 3.2],
      [3, 5],
      [3.6, 5.6],
      [3.6, 8.6],
      [2.6, 9.6],
      [0, 9.8],
    ],
    rubber,
    48,
  )
}

/** Brake hose of 5 mm through these points, cut off at the last one. */
export function hose(points: Point3[]) {
  const [before, last] = points.slice(-2).map((point) => new Vector3(...point)) as [Vector3, Vector3]
  const cut = group(
    slab(disc(2.5, 1.2), 0.4, rubber, { edge: 0.1 }),
    slab(disc(1.3), 0.2, hollow, { edge: 0 }),
  )
  cut.position.copy(last)
  cut.lookAt(last.clone().multiplyScalar(2).sub(before))
  return group(rod(points, 2.5, rubber, { steps: 80 }), cut)
}
