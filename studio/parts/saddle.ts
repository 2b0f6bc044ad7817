import { CapsuleGeometry, InstancedMesh, Matrix4, MeshPhysicalMaterial, Quaternion, Vector3 } from 'three'
import { plastic, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { group } from '#studio/shapes/pieces.ts'
import { blend, bothSides, limb } from '#studio/shapes/solid.ts'
import { rod } from '#studio/shapes/tubes.ts'
import type { Model } from '#studio/view.ts'
import { cover, height, seamAt, shell } from './saddle-form.ts'

/** A trail saddle 272 mm long and 145 wide on rails of 7 mm. */
export function saddle(): Model {
  const object = group(
    cover(),
    stitches(8, '#b9572a'),
    stitches(14, '#b9572a'),
    shell(),
    ...[-1, 1].map((way) => rail(way)),
    sockets(),
  )
  return {
    object,
    views: [
      { azimuth: 42, elevation: 32, fill: 0.84 },
      { azimuth: 164, elevation: -13, fill: 0.8 },
    ],
  }
}

/** Thread on both sides of the channel, `away` millimetres from its edge. */
function stitches(away: number, color: string) {
  const thread = new MeshPhysicalMaterial({ color, roughness: 0.7 })
  const places: Matrix4[] = []
  for (const way of [-1, 1]) {
    const onSeam = (z: number) => {
      const x = way * seamAt(z, away)
      return new Vector3(x, height(x, z) + 0.15, z)
    }
    for (let z = 104; z > -112; z -= 4.2) {
      const [a, b] = [onSeam(z), onSeam(z - 1)]
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), b.clone().sub(a).normalize())
      places.push(new Matrix4().compose(a, turn, new Vector3(1, 1, 1)))
    }
  }
  const mesh = new InstancedMesh(new CapsuleGeometry(0.5, 2.2, 3, 8), thread, places.length)
  for (const [i, place] of places.entries()) mesh.setMatrixAt(i, place)
  return mesh
}

/** A rail of 7 mm: 44 mm from the other where the post holds it. */
function rail(way: number) {
  return rod(
    [
      [way * 5, 13, 112],
      [way * 5.2, 8, 105],
      [way * 6.4, -2, 93],
      [way * 10, -11, 77],
      [way * 16, -17, 61],
      [way * 20.5, -19.4, 49],
      [way * 22, -20, 40],
      [way * 22, -20.5, 24],
      [way * 22, -20.5, 4],
      [way * 22, -20.5, -16],
      [way * 22.4, -19, -34],
      [way * 24, -13.5, -52],
      [way * 28, -4, -72],
      [way * 32, 5, -90],
      [way * 33, 9, -98],
    ],
    3.5,
    steel,
  )
}

/** Where the rails are held: under the nose and under both wings. */
function sockets() {
  const nose = limb([0, 15, 116, 7], [0, 10, 106, 7])
  const arms = bothSides(limb([5, 12, 111, 6], [5.4, 6, 103, 5.2]))
  const rear = bothSides(
    blend(5, limb([33, 12, -99, 7.4], [30.4, 1, -84, 5.2]), limb([0, 20, -100, 6], [33, 13, -99, 6])),
  )
  return cast(
    blend(5, nose, arms, rear),
    [
      [-48, -8, -112],
      [48, 30, 128],
    ],
    1,
    plastic,
  )
}
