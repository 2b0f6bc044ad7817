import { CapsuleGeometry, InstancedMesh, Matrix4, MeshPhysicalMaterial, Quaternion, Vector3 } from 'three'
import { group } from '#studio/shapes/pieces.ts'
import type { Model } from '#studio/view.ts'
import { cover, height, seamAt, shell } from './saddle-form.ts'
import { underside } from './saddle-underside.ts'

/** A trail saddle 272 mm long and 145 wide on rails of 7 mm. */
export function saddle(): Model {
  const object = group(cover(), stitches(8, '#b9572a'), stitches(14, '#b9572a'), shell(), underside())
  return {
    object,
    views: [
      { azimuth: 42, elevation: 32, fill: 0.84 },
      { azimuth: -30, elevation: 40, turned: [Math.PI + 0.065, 0, 0], fill: 0.84 },
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
