import { Box3, Mesh, type Object3D, PerspectiveCamera, Vector3 } from 'three'
import type { Lit } from './light.ts'
import type { View } from './view.ts'

/** A long lens: parts look as a catalogue shows them, with little perspective. */
const lens = 16
const degrees = Math.PI / 180

/** The camera position at which the part, or its detail, fills the picture, and the region to light. */
export function aim(object: Object3D, view: View, aspect: number) {
  const { azimuth, elevation, roll = 0, fill = 0.8, detail } = view
  const box = new Box3().setFromObject(object, true)
  const size = box.getSize(new Vector3()).length()
  const middle = box.getCenter(new Vector3())
  const camera = new PerspectiveCamera(lens, aspect, 1, 10)
  const [turn, rise] = [azimuth * degrees, Math.min(elevation, 89.9) * degrees]
  const from = new Vector3(Math.sin(turn) * Math.cos(rise), Math.sin(rise), Math.cos(turn) * Math.cos(rise))
  const target = detail ? object.localToWorld(new Vector3(...detail.at)) : middle.clone()
  const tangent = Math.tan((lens / 2) * degrees)
  let distance = detail ? detail.width / (2 * tangent * aspect) : size / tangent

  const points = pointsOf(object)
  for (let round = 0; round < 8; round++) {
    camera.near = Math.max(distance - size * 1.5, distance / 50)
    camera.far = distance + size * 30
    camera.position.copy(target).addScaledVector(from, distance)
    camera.up.set(0, 1, 0)
    camera.lookAt(target)
    camera.rotateZ(-roll * degrees)
    camera.updateProjectionMatrix()
    camera.updateMatrixWorld(true)
    if (detail) break

    const seen = new Box3()
    for (const point of points) seen.expandByPoint(point.clone().project(camera))
    const [wide, high] = [(seen.max.x - seen.min.x) / 2, (seen.max.y - seen.min.y) / 2]
    const shift = new Vector3((seen.max.x + seen.min.x) / 2, (seen.max.y + seen.min.y) / 2, 0)
    const across = distance * tangent
    target.add(new Vector3(shift.x * across * aspect, shift.y * across, 0).applyQuaternion(camera.quaternion))
    distance *= Math.max(wide, high) / fill
  }
  return {
    camera,
    floor: box.min.y,
    lit: detail ? seenOf(points, camera, size) : { middle, size, reach: size * 0.51 },
  }
}

/** The place that a closer look shows, with a margin for what it shows of the ground. */
function seenOf(points: Vector3[], camera: PerspectiveCamera, size: number): Lit {
  const seen = points.filter((point) => {
    const { x, y } = point.clone().project(camera)
    return Math.abs(x) < 1.2 && Math.abs(y) < 1.2
  })
  const box = new Box3().setFromPoints(seen.length > 0 ? seen : points)
  const reach = Math.min(box.getSize(new Vector3()).length() * 0.6 + size * 0.02, size)
  return { middle: box.getCenter(new Vector3()), size, reach }
}

function pointsOf(object: Object3D) {
  const points: Vector3[] = []
  object.traverse((piece) => {
    if (!(piece instanceof Mesh)) return
    const { position } = piece.geometry.attributes
    const step = Math.max(1, Math.floor(position.count / 400))
    for (let i = 0; i < position.count; i += step)
      points.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(piece.matrixWorld))
  })
  return points
}
