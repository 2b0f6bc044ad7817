import { type BufferGeometry, Float32BufferAttribute } from 'three'
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js'

/**
 * Gives a body normals as a moulder would: smooth over edges flatter than `crease` radians, sharp over the others. Large
 * faces count for more than small ones, so that planes stay plane and only the bevels between them are round; with
 * `capped`, faces square to z stay plane whatever is around them.
 */
export function smooth(geometry: BufferGeometry, crease: number, capped = false) {
  const body = geometry.index ? geometry.toNonIndexed() : geometry
  const corners = body.getAttribute('position').array
  const faces = corners.length / 9
  const normals = new Float32Array(faces * 3)
  const weights = new Float32Array(faces)
  const facesAt = new Map<string, number[]>()
  for (let face = 0; face < faces; face++) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(
      face * 9,
      face * 9 + 9,
    ) as unknown as number[]
    const [ux, uy, uz] = [bx! - ax!, by! - ay!, bz! - az!]
    const [vx, vy, vz] = [cx! - ax!, cy! - ay!, cz! - az!]
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const area = Math.hypot(...normal)
    normals.set(
      normal.map((way) => way / (area || 1)),
      face * 3,
    )
    weights[face] = capped && Math.abs(normals[face * 3 + 2]!) > 0.9999 ? area * 1e4 : area
    for (let corner = 0; corner < 3; corner++) {
      const key = keyOf(corners, face * 9 + corner * 3)
      const there = facesAt.get(key)
      if (there) there.push(face)
      else facesAt.set(key, [face])
    }
  }

  const limit = Math.cos(crease)
  const result = new Float32Array(corners.length)
  for (let at = 0; at < corners.length; at += 3) {
    const own = Math.floor(at / 9) * 3
    const [x, y, z] = [normals[own]!, normals[own + 1]!, normals[own + 2]!]
    let [sumX, sumY, sumZ] = [0, 0, 0]
    for (const face of facesAt.get(keyOf(corners, at))!) {
      const [nx, ny, nz] = [normals[face * 3]!, normals[face * 3 + 1]!, normals[face * 3 + 2]!]
      if (nx * x + ny * y + nz * z < limit) continue
      const weight = weights[face]!
      sumX += nx * weight
      sumY += ny * weight
      sumZ += nz * weight
    }
    const length = Math.hypot(sumX, sumY, sumZ) || 1
    result.set([sumX / length, sumY / length, sumZ / length], at)
  }
  body.setAttribute('normal', new Float32BufferAttribute(result, 3))
  return mergeVertices(body)
}

/** Corners less than a few micrometres apart are the same. */
function keyOf(corners: ArrayLike<number>, at: number) {
  return [0, 1, 2].map((i) => Math.round(corners[at + i]! * 200)).join()
}
