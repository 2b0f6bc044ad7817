import { BufferGeometry, Float32BufferAttribute, type Material, Mesh, Vector3 } from 'three'
import type { Point3 } from './pieces.ts'
import type { Solid } from './solid.ts'

/** The surface of a body between two corners as a mesh of this step. */
export function cast(solid: Solid, [low, high]: [Point3, Point3], step: number, material: Material) {
  const [nx, ny, nz] = low.map((from, i) => Math.ceil((high[i]! - from) / step) + 1) as [
    number,
    number,
    number,
  ]
  const values = sample(solid, low, [nx, ny, nz], step)
  const corner = (i: number, j: number, k: number) => (k * ny + j) * nx + i
  const vertexOf = new Int32Array(nx * ny * nz).fill(-1)
  const [positions, normals, uvs, faces]: number[][] = [[], [], [], []]
  const inside = (i: number, j: number, k: number) => values[corner(i, j, k)]! < 0

  for (let k = 0; k < nz - 1; k++)
    for (let j = 0; j < ny - 1; j++)
      for (let i = 0; i < nx - 1; i++) {
        let within = 0
        for (let c = 0; c < 8; c++) if (inside(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))) within++
        if (within === 0 || within === 8) continue
        vertexOf[corner(i, j, k)] = positions!.length / 3
        const middle = [i, j, k].map((n, axis) => low[axis]! + (n + 0.5) * step) as [number, number, number]
        const normal = settle(solid, middle, step)
        positions!.push(...middle)
        normals!.push(...normal)
        uvs!.push(middle[0] / 10, middle[1] / 10)
      }
  const steps = [corner(1, 0, 0), corner(0, 1, 0), corner(0, 0, 1)] as const
  for (let k = 1; k < nz - 1; k++)
    for (let j = 1; j < ny - 1; j++)
      for (let i = 1; i < nx - 1; i++) {
        const here = corner(i, j, k)
        const solidHere = values[here]! < 0
        for (let axis = 0; axis < 3; axis++) {
          if (solidHere === values[here + steps[axis]!]! < 0) continue
          const [u, v] = [steps[(axis + 1) % 3]!, steps[(axis + 2) % 3]!]
          const quad = [here, here - u, here - u - v, here - v].map((c) => vertexOf[c]!)
          const [a, b, c, d] = solidHere ? quad : quad.reverse()
          faces!.push(a!, b!, c!, a!, c!, d!)
        }
      }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(positions!, 3))
  geometry.setAttribute('normal', new Float32BufferAttribute(normals!, 3))
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs!, 2))
  return new Mesh(geometry.setIndex(faces!), material)
}

/** The distances at all corners; where the surface is far, only whether it is inside. */
function sample(solid: Solid, low: Point3, [nx, ny, nz]: [number, number, number], step: number) {
  const values = new Float32Array(nx * ny * nz)
  const size = 8
  for (let k = 0; k < nz; k += size)
    for (let j = 0; j < ny; j += size)
      for (let i = 0; i < nx; i += size) {
        const [x, y, z] = [i, j, k].map((n, axis) => low[axis]! + (n + size / 2) * step) as [
          number,
          number,
          number,
        ]
        const far = solid(x, y, z)
        const near = Math.abs(far) < size * step * 1.2
        for (let c = k; c < Math.min(k + size, nz); c++)
          for (let b = j; b < Math.min(j + size, ny); b++)
            for (let a = i; a < Math.min(i + size, nx); a++)
              values[(c * ny + b) * nx + a] = near
                ? solid(low[0] + a * step, low[1] + b * step, low[2] + c * step)
                : far
      }
  return values
}

/** Moves a point onto the surface, no further than its cell is wide, and answers which way that faces. */
function settle(solid: Solid, point: [number, number, number], step: number) {
  const start = [...point]
  const e = step * 0.15
  let facing = new Vector3()
  for (let round = 0; round < 4; round++) {
    const [x, y, z] = point
    facing = new Vector3(
      solid(x + e, y, z) - solid(x - e, y, z),
      solid(x, y + e, z) - solid(x, y - e, z),
      solid(x, y, z + e) - solid(x, y, z - e),
    ).divideScalar(2 * e)
    const back = solid(x, y, z) / Math.max(facing.lengthSq(), 0.05)
    for (const axis of [0, 1, 2] as const) {
      const to = point[axis] - facing.getComponent(axis) * back
      point[axis] = Math.min(Math.max(to, start[axis]! - step), start[axis]! + step)
    }
  }
  return facing.normalize().toArray()
}
