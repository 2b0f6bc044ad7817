import {
  BufferGeometry,
  Float32BufferAttribute,
  type Material,
  Mesh,
  type Shape,
  ShapeUtils,
  Vector2,
} from 'three'

interface Ring {
  inset: number
  z: number
  /** How much the surface looks along z and how much to the side. */
  up: number
  out: number
}

/**
 * A plate cut along an outline in the xy plane, in the middle of z, with flat faces that stay flat: its edges are broken
 * by a chamfer of `edge`, or rounded in so many `steps`.
 */
export function slab(
  shape: Shape,
  depth: number,
  material: Material,
  { edge = 0.3, steps = 0, curve = 24 } = {},
) {
  const extracted = shape.extractPoints(curve)
  const contours = [extracted.shape, ...extracted.holes].map((points, i) => oriented(points, i > 0))
  const positions: number[] = []
  const normals: number[] = []
  const uvs: number[] = []
  const vertex = (
    x: number,
    y: number,
    z: number,
    normal: [number, number, number],
    uv: [number, number],
  ) => {
    positions.push(x, y, z)
    normals.push(...normal)
    uvs.push(...uv)
  }
  const bands = profile(depth, edge, steps)
  const inner = contours.map((points) => {
    const joints = points.map((_, i) => joint(points, i))
    const along = [0]
    for (const [i, point] of points.entries())
      along.push(along[i]! + point.distanceTo(points[(i + 1) % points.length]!))
    for (const [a, b] of bands) {
      for (let i = 0; i < points.length; i++) {
        const next = (i + 1) % points.length
        const put = (ring: Ring, step: 0 | 1, normal: Vector2) => {
          const j = step === 0 ? i : next
          const { miter } = joints[j]!
          const p = points[j]!.clone().addScaledVector(miter, -ring.inset)
          vertex(
            p.x,
            p.y,
            ring.z,
            [normal.x * ring.out, normal.y * ring.out, ring.up],
            [along[i + step]!, ring.z],
          )
        }
        const [left, right] = [joints[i]!.after, joints[next]!.before]
        put(a, 0, left)
        put(b, 0, left)
        put(b, 1, right)
        put(a, 0, left)
        put(b, 1, right)
        put(a, 1, right)
      }
    }
    return points.map((point, i) => point.clone().addScaledVector(joints[i]!.miter, -edge))
  })
  const flat = inner.flat()
  for (const face of ShapeUtils.triangulateShape(inner[0]!, inner.slice(1))) {
    for (const i of face) vertex(flat[i]!.x, flat[i]!.y, depth / 2, [0, 0, 1], [flat[i]!.x, flat[i]!.y])
    for (const i of face.toReversed())
      vertex(flat[i]!.x, flat[i]!.y, -depth / 2, [0, 0, -1], [flat[i]!.x, flat[i]!.y])
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3))
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3))
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2))
  return new Mesh(geometry, material)
}

/** Outlines run against the clock, holes with it; no point comes twice. */
function oriented(points: Vector2[], hole: boolean) {
  const distinct = points.filter((point, i) => {
    const before = points[(i + points.length - 1) % points.length]!
    return point.distanceTo(before) > 1e-4
  })
  return ShapeUtils.isClockWise(distinct) === hole ? distinct : distinct.reverse()
}

/** From the front face over its edge to the back face. */
function profile(depth: number, edge: number, steps: number) {
  const half = depth / 2
  const side: [Ring, Ring] = [
    { inset: 0, z: half - edge, up: 0, out: 1 },
    { inset: 0, z: edge - half, up: 0, out: 1 },
  ]
  if (edge === 0) return [side]
  const ring = (turn: number): Ring => {
    const [up, out] = [Math.cos(turn), Math.sin(turn)]
    return { inset: edge * (1 - out), z: half - edge * (1 - up), up, out }
  }
  const slant = { up: Math.SQRT1_2, out: Math.SQRT1_2 }
  const front: [Ring, Ring][] =
    steps === 0
      ? [
          [
            { inset: edge, z: half, ...slant },
            { inset: 0, z: half - edge, ...slant },
          ],
        ]
      : Array.from({ length: steps }, (_, i) => [
          ring((i / steps) * (Math.PI / 2)),
          ring(((i + 1) / steps) * (Math.PI / 2)),
        ])
  const mirrored = front.map(([a, b]): [Ring, Ring] => [
    { ...b, z: -b.z, up: -b.up },
    { ...a, z: -a.z, up: -a.up },
  ])
  return [...front, side, ...mirrored.reverse()]
}

/** How an outline turns at a point: smoothly, or with an edge. */
function joint(points: Vector2[], i: number) {
  const point = points[i]!
  const outwards = (from: Vector2, to: Vector2) => new Vector2(to.y - from.y, from.x - to.x).normalize()
  const before = outwards(points[(i + points.length - 1) % points.length]!, point)
  const after = outwards(point, points[(i + 1) % points.length]!)
  const along = before.dot(after)
  const miter = before
    .clone()
    .add(after)
    .divideScalar(Math.max(1 + along, 0.4))
  if (along < Math.cos(0.6)) return { miter, before, after }
  const both = before.clone().add(after).normalize()
  return { miter, before: both, after: both }
}
