import { Box3, Group, type Object3D } from 'three'

export type Point2 = readonly [x: number, y: number]

export type Point3 = readonly [x: number, y: number, z: number]

/** Several pieces as one. */
export function group(...pieces: Object3D[]) {
  const all = new Group()
  all.add(...pieces)
  return all
}

export function at<T extends Object3D>(piece: T, [x, y, z]: Point3, [rx, ry, rz]: Point3 = [0, 0, 0]): T {
  piece.position.set(x, y, z)
  piece.rotation.set(rx, ry, rz)
  return piece
}

/** The same piece `count` times around the z axis. */
export function around(count: number, make: (i: number) => Object3D) {
  return group(
    ...Array.from({ length: count }, (_, i) => {
      const arm = group(make(i))
      arm.rotation.z = (i / count) * 2 * Math.PI
      return arm
    }),
  )
}

/** Sets a piece down on the ground, by its lowest point. */
export function onGround<T extends Object3D>(piece: T): T {
  piece.updateMatrixWorld(true)
  piece.position.y -= new Box3().setFromObject(piece, true).min.y
  return piece
}

/** A point turned around the origin. */
export function turn([x, y]: Point2, angle: number): [x: number, y: number] {
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]
}
