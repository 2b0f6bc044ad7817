import { CylinderGeometry, Mesh, type MeshPhysicalMaterial } from 'three'
import { accent, anodised, steel } from '#studio/materials.ts'
import { screw } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { around, at, group, type Point3 } from '#studio/shapes/pieces.ts'
import { limb } from '#studio/shapes/solid.ts'
import { lathe } from '#studio/shapes/turned.ts'

/** The cap of the air spring with its valve's cover. */
export function airCap() {
  return group(
    lathe(
      [
        [19, -2],
        [19, 3],
        [18, 4],
        [9.4, 4],
        [9.4, 4.4],
        [8.8, 15],
        [8, 16],
        [0, 16],
      ],
      anodised,
    ),
    ribs(19, 1.5, 2.2, anodised),
    ribs(8.9, 9, 8, anodised, 20),
  )
}

/** The compression dial: a knurled ring with a pointer. */
export function dial() {
  return group(
    lathe(
      [
        [19, -2],
        [19, 3],
        [18, 4],
        [0, 4],
      ],
      anodised,
    ),
    lathe(
      [
        [14.4, 4],
        [15, 5],
        [15, 11],
        [14, 12.4],
        [7, 12.4],
        [6, 11.6],
        [0, 11.6],
      ],
      anodised,
    ),
    at(screw(4, 2, steel, 1.2), [0, 11.6, 0], [-Math.PI / 2, 0, 0]),
    ribs(15, 8, 6, anodised, 30),
    at(limbMesh([0, 0, 6.4], [0, 0, 12], 1.5), [0, 12.2, 0], [0, 2.4, 0]),
  )
}

/** The rebound knob under the right leg. */
export function rebound() {
  return group(
    at(
      lathe(
        [
          [9.6, -2],
          [9.6, 10],
          [8.8, 11],
          [4, 11],
          [3.4, 10.4],
          [0, 10.4],
        ],
        accent,
      ),
      [0, 0, 0],
      [Math.PI, 0, 0],
    ),
    ribs(9.6, -5, 8, accent, 18),
  )
}

/** Ribs around a knob. */
function ribs(radius: number, y: number, high: number, material: MeshPhysicalMaterial, count = 12) {
  const bar = new CylinderGeometry(0.7, 0.7, high, 8)
  return at(
    around(count, () => at(new Mesh(bar, material), [radius, 0, 0], [Math.PI / 2, 0, 0])),
    [0, y, 0],
    [Math.PI / 2, 0, 0],
  )
}

function limbMesh(a: Point3, b: Point3, radius: number) {
  return cast(
    limb([...a, radius], [...b, radius * 0.7]),
    [
      [-5, -5, -5],
      [5, 5, 22],
    ],
    0.3,
    accent,
  )
}
