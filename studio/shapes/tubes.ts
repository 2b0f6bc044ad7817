import {
  BufferGeometry,
  CatmullRomCurve3,
  type Curve,
  CurvePath,
  Float32BufferAttribute,
  LineCurve3,
  type Material,
  Mesh,
  QuadraticBezierCurve3,
  Quaternion,
  TubeGeometry,
  Vector3,
} from 'three'
import type { Point3 } from './pieces.ts'
import { lathe } from './turned.ts'

/** A smooth rod or tube through these points. */
export function rod(
  points: Point3[],
  radius: number,
  material: Material,
  { closed = false, steps = 200, sides = 24 } = {},
) {
  const curve = new CatmullRomCurve3(
    points.map((point) => new Vector3(...point)),
    closed,
    'centripetal',
  )
  return new Mesh(new TubeGeometry(curve, steps, radius, sides, closed), material)
}

/** A corner of a bent tube, and the length over which it is rounded there. */
export type Corner = [...Point3, rounded: number]

/** A tube's middle: straight lines from corner to corner. */
export function bent(corners: Corner[]) {
  const path = new CurvePath<Vector3>()
  const places = corners.map(([x, y, z]) => new Vector3(x, y, z))
  let from = places[0]!
  for (let i = 1; i < corners.length; i++) {
    const here = places[i]!
    const next = places[i + 1]
    const rounded = corners[i]![3]
    const before = here.clone().lerp(places[i - 1]!, rounded / here.distanceTo(places[i - 1]!))
    path.add(new LineCurve3(from, before))
    if (!next) break
    const after = here.clone().lerp(next, rounded / here.distanceTo(next))
    path.add(new QuadraticBezierCurve3(before, here, after))
    from = after
  }
  return path
}

/**
 * A smooth surface over a grid: `place` answers the point for u across and v along, both from 0 to 1. The picture on it
 * runs along v from left to right.
 */
export function skin(
  across: number,
  along: number,
  place: (u: number, v: number) => Vector3,
  material: Material,
  closed = true,
) {
  const [positions, uvs, faces]: number[][] = [[], [], []]
  const wide = across + 1
  for (let j = 0; j <= along; j++)
    for (let i = 0; i <= across; i++) {
      const [u, v] = [i / across, j / along]
      positions!.push(...place(closed ? u % 1 : u, v).toArray())
      uvs!.push(v, 1 - u)
      const a = j * wide + i
      if (i < across && j < along) faces!.push(a, a + 1, a + wide + 1, a, a + wide + 1, a + wide)
    }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(positions!, 3))
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs!, 2))
  geometry.setIndex(faces!).computeVertexNormals()
  const normals = geometry.attributes.normal!
  for (let j = 0; closed && j <= along; j++) {
    const [a, b] = [j * wide, j * wide + across]
    const both = new Vector3().fromBufferAttribute(normals, a)
    both.add(new Vector3().fromBufferAttribute(normals, b)).normalize()
    for (const i of [a, b]) normals.setXYZ(i, ...both.toArray())
  }
  return new Mesh(geometry, material)
}

/** A tube whose radius changes along a line and around it; u = 0 faces `side` halfway along. */
export function tube(
  line: Curve<Vector3>,
  radius: (t: number, u: number) => number,
  material: Material,
  { steps = 400, sides = 48, side = [0, 0, 1] as Point3 } = {},
) {
  const { tangents, normals, binormals } = line.computeFrenetFrames(steps)
  const points = line.getSpacedPoints(steps)
  const half = Math.round(steps / 2)
  const facing = new Vector3(...side)
  const first = Math.atan2(facing.dot(binormals[half]!), facing.dot(normals[half]!))
  return skin(
    sides,
    steps,
    (u, v) => {
      const i = Math.round(v * steps)
      const [turn, r] = [first + u * 2 * Math.PI, radius(v, u)]
      const across = new Vector3().crossVectors(tangents[i]!, normals[i]!)
      return points[i]!.clone()
        .addScaledVector(normals[i]!, Math.cos(turn) * r)
        .addScaledVector(across, Math.sin(turn) * r)
    },
    material,
  )
}

/** The open end of a tube, seen along `out`: its wall and its inside. */
export function openEnd(
  end: Vector3,
  out: Vector3,
  radius: number,
  wall: number,
  material: Material,
  deep = 40,
) {
  const inner = radius - wall
  const piece = lathe(
    [
      [radius, -1],
      [radius, -0.4],
      [radius - 0.4, 0],
      [inner + 0.4, 0],
      [inner, -0.4],
      [inner, -deep],
      [0, -deep],
    ],
    material,
    64,
  )
  piece.position.copy(end)
  piece.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), out.clone().normalize()))
  return piece
}
