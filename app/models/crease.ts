/** The cosine of 38°: where two triangles meet at more, there is an edge. */
const sharpest = 0.788

/** For triangles that share no corners: smooth but at edges. Large triangles count more, so that flats stay flat. */
export function computeNormals(positions: Float32Array, indices: ArrayLike<number>): Float32Array {
  const faces = measureFaces(positions, indices)
  const { starts, around } = listFacesAround(positions.length / 3, indices)
  const normals = new Float32Array(indices.length * 3)
  for (let i = 0; i < indices.length; i++) {
    const own = Math.floor(i / 3) * 4
    const [ownX, ownY, ownZ] = [faces[own]!, faces[own + 1]!, faces[own + 2]!]
    let [x, y, z] = [0, 0, 0]
    for (let at = starts[indices[i]!]!; at < starts[indices[i]! + 1]!; at++) {
      const face = around[at]! * 4
      const [fx, fy, fz, area] = [faces[face]!, faces[face + 1]!, faces[face + 2]!, faces[face + 3]!]
      if (ownX * fx + ownY * fy + ownZ * fz < sharpest) continue
      x += fx * area
      y += fy * area
      z += fz * area
    }
    const length = Math.hypot(x, y, z) || 1
    normals.set([x / length, y / length, z / length], i * 3)
  }
  return normals
}

/** Of each triangle its normal and its area, twice as large. */
function measureFaces(positions: Float32Array, indices: ArrayLike<number>) {
  const faces = new Float32Array((indices.length / 3) * 4)
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i]! * 3, indices[i + 1]! * 3, indices[i + 2]! * 3]
    const side = (from: number, to: number, axis: number) => positions[to + axis]! - positions[from + axis]!
    const [ux, uy, uz] = [side(a, b, 0), side(a, b, 1), side(a, b, 2)]
    const [vx, vy, vz] = [side(a, c, 0), side(a, c, 1), side(a, c, 2)]
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const area = Math.hypot(x, y, z)
    const scale = area === 0 ? 0 : 1 / area
    faces.set([x * scale, y * scale, z * scale, area], (i / 3) * 4)
  }
  return faces
}

/** The triangles around corner `n` are those from `starts[n]` up to `starts[n + 1]`. */
function listFacesAround(corners: number, indices: ArrayLike<number>) {
  const starts = new Uint32Array(corners + 1)
  for (let i = 0; i < indices.length; i++) starts[indices[i]! + 1]!++
  for (let corner = 0; corner < corners; corner++) starts[corner + 1]! += starts[corner]!
  const next = starts.slice()
  const around = new Uint32Array(indices.length)
  for (let i = 0; i < indices.length; i++) around[next[indices[i]!]!++] = Math.floor(i / 3)
  return { starts, around }
}
