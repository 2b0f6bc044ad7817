import { BufferAttribute, BufferGeometry, Mesh, type MeshStandardMaterial, type Object3D } from 'three'
import { computeNormals } from './crease.ts'

/** Of what has no normals, which the loader shows with a facet for each triangle. */
export function smoothModel(model: Object3D) {
  const smoothed = new Map<BufferGeometry, BufferGeometry>()
  model.traverse((piece) => {
    if (!(piece instanceof Mesh) || piece.geometry.hasAttribute('normal')) return
    const { geometry, material } = piece as Mesh<BufferGeometry, MeshStandardMaterial>
    piece.geometry = smoothed.get(geometry) ?? smooth(geometry)
    smoothed.set(geometry, piece.geometry)
    material.flatShading = false
  })
}

function smooth(geometry: BufferGeometry) {
  const { position } = geometry.attributes
  const corners = geometry.index?.array ?? Uint32Array.from({ length: position!.count }, (_, i) => i)
  // As numbers, whatever integers they are stored as.
  const positions = new Float32Array(position!.count * 3)
  for (let i = 0; i < position!.count; i++)
    positions.set([position!.getX(i), position!.getY(i), position!.getZ(i)], i * 3)
  const own = Float32Array.from(
    { length: corners.length * 3 },
    (_, i) => positions[corners[Math.floor(i / 3)]! * 3 + (i % 3)]!,
  )
  const result = new BufferGeometry()
  result.setAttribute('position', new BufferAttribute(own, 3))
  result.setAttribute('normal', new BufferAttribute(computeNormals(positions, corners), 3))
  return result
}
