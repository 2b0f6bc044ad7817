import {
  BufferGeometry,
  CatmullRomCurve3,
  DoubleSide,
  Float32BufferAttribute,
  Mesh,
  MeshPhysicalMaterial,
  Vector3,
} from 'three'
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js'
import { leather } from '#studio/materials.ts'
import type { Point2, Point3 } from '#studio/shapes/pieces.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'

/** Half the width at places along the saddle, from the nose, in millimetres; z = 0 is its middle, the nose ahead. */
const half: Point2[] = [
  [0, 136],
  [8, 134],
  [14.5, 127.5],
  [18.2, 115],
  [20.6, 92],
  [25, 50],
  [33, 12],
  [46, -22],
  [61, -52],
  [70.5, -82],
  [72.5, -104],
  [68, -122],
  [54, -134],
  [34, -136.5],
  [16, -130],
  [0, -125],
]
const edge = new CatmullRomCurve3(
  [
    ...half,
    ...half
      .slice(1, -1)
      .reverse()
      .map(([x, z]) => [-x, z] as const),
  ].map(([x, z]) => new Vector3(x, 0, z)),
  true,
  'centripetal',
)
const across = 60

/** The shell's, filled with glass fibre. */
export const nylon = new MeshPhysicalMaterial({ color: '#3a3b3e', roughness: 0.46 })

/** How high the padding's crown is. */
export function height(x: number, z: number) {
  const along = (136 - z) / 272
  const line =
    -9 * Math.exp(-((along / 0.12) ** 2)) +
    13 * smoothstep(along, 0.45, 0.95) -
    3 * smoothstep(along, 0.9, 1.02)
  const width = widthAt(z)
  const fall = (5 + 7 * smoothstep(along, 0.5, 0.9)) * Math.min(Math.abs(x) / Math.max(width, 14), 1) ** 2.4
  const channel = 3.5 + 8 * smoothstep(along, 0.1, 0.9)
  const deep = 6.5 * smoothstep(along, 0.09, 0.24)
  const seam = 0.7 * Math.exp(-(((Math.abs(x) - seamAt(z, 11)) / 1.3) ** 2)) * smoothstep(z, 118, 106)
  return 32 + line - fall - seam - deep * Math.exp(-((x / channel) ** 4))
}

/** How far from the middle a seam is that runs `away` millimetres beside the channel. */
export function seamAt(z: number, away: number) {
  const along = (136 - z) / 272
  return 3.5 + 8 * smoothstep(along, 0.1, 0.9) + away * (0.35 + 0.65 * smoothstep(along, 0.1, 0.8))
}

/** The cover: over the top, rolled round the edge, and tucked under the shell. */
export function cover() {
  const around = 360
  const rows = across + 26
  return surface(around, rows, (turn, row) => {
    const rim = edge.getPointAt(turn)
    const spine = new Vector3(0, 0, Math.min(Math.max(rim.z * 0.97, -108), 118))
    if (row <= across) {
      const share = row / across
      const point = spine.clone().lerp(rim, 1 - (1 - share) ** 1.6)
      const away = point.distanceTo(rim)
      const roll = 15
      const drop = away < roll ? roll - Math.sqrt(roll * roll - (roll - away) ** 2) : 0
      return [point.x, height(point.x, point.z) - drop, point.z]
    }
    const down = (row - across) / (rows - across)
    const reach = rim.distanceTo(spine)
    const out = rim.clone().sub(spine).normalize()
    const inward = 4.5 * down ** 1.5 + Math.min(5, reach * 0.2) * smoothstep(down, 0.72, 1)
    const hang = (height(rim.x, rim.z) - 15 - lip(rim)) * (1 - Math.min(down / 0.75, 1))
    const y = lip(rim) + hang - 1.2 * smoothstep(down, 0.72, 1)
    return [rim.x - out.x * inward, y, rim.z - out.z * inward]
  })
}

/** How far the cover hangs below its rolled edge. */
function skirtAt(z: number) {
  return 6 + 6 * smoothstep(z, 70, -20) - 3 * smoothstep(z, -60, -120)
}

/** The height of the cover's lower edge; the channel does not reach it. */
function lip(rim: Vector3) {
  const beside = rim.z < 0 ? Math.max(Math.abs(rim.x), 24) : rim.x
  return height(beside, rim.z) - 15 - skirtAt(rim.z)
}

/** A closed fan of rows from the spine outwards, smooth throughout. */
function surface(
  around: number,
  rows: number,
  place: (turn: number, row: number) => Point3,
  material = leather,
) {
  const [positions, faces]: number[][] = [[], []]
  for (let row = 0; row <= rows; row++)
    for (let i = 0; i < around; i++) {
      positions!.push(...place(i / around, row))
      if (row === rows) continue
      const [a, b] = [row * around + i, row * around + ((i + 1) % around)]
      faces!.push(a, b + around, b, a, a + around, b + around)
    }
  const rough = new BufferGeometry()
  rough.setAttribute('position', new Float32BufferAttribute(positions!, 3))
  rough.setIndex(faces!)
  const geometry = mergeVertices(rough, 0.01)
  geometry.computeVertexNormals()
  const { position } = geometry.attributes
  const uv = Array.from({ length: position!.count }, (_, i) => {
    const [x, y, z] = [position!.getX(i), position!.getY(i), position!.getZ(i)]
    const down = height(x, z) - y
    return [(Math.abs(x) + down) / 60, (z - down) / 60]
  })
  geometry.setAttribute('uv', new Float32BufferAttribute(uv.flat(), 2))
  return new Mesh(geometry, Object.assign(material.clone(), { side: DoubleSide }))
}

/** The height of the shell's underside in its middle. */
export function ceiling(z: number) {
  return height(0, z) - 7
}

/** The shell under the padding: nylon, hollow, with a rim. */
export function shell() {
  return surface(
    200,
    40,
    (turn, row) => {
      const rim = edge.getPointAt(turn)
      const spine = new Vector3(0, 0, Math.min(Math.max(rim.z * 0.97, -108), 118))
      const share = 1 - row / 40
      const reach = rim.distanceTo(spine)
      const inset = Math.min(5, reach * 0.2) / Math.max(reach, 0.1)
      const { x, z } = spine.lerp(rim, share * (1 - inset))
      return [x, lip(rim) + 0.6 + (ceiling(z) - lip(rim)) * (1 - share ** 3.4), z]
    },
    nylon,
  )
}

function widthAt(z: number) {
  if (z < -100) return 72.5
  for (let i = 1; i < half.length; i++) {
    const [[w1, z1], [w2, z2]] = [half[i - 1]!, half[i]!]
    if (z <= z1 && z >= z2) return w1 + ((w2 - w1) * (z1 - z)) / (z1 - z2)
  }
  return 5
}
