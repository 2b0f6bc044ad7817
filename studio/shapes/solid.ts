import { Euler, Matrix4, Vector3 } from 'three'
import type { Point2, Point3 } from './pieces.ts'

/** A body as the distance from its surface, less than nought inside: what is forged or cast, with soft edges. */
export type Solid = (x: number, y: number, z: number) => number
type Flat = (x: number, y: number) => number

/** A round bar or cone from a to b with flat ends, its edges broken by `edge`. */
export function pillar(a: Point3, b: Point3, radius: number, edge = 0, endRadius = radius): Solid {
  const axis = new Vector3(...b).sub(new Vector3(...a))
  const length = axis.length()
  const [ax, ay, az] = axis.divideScalar(length).toArray()
  return (x, y, z) => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]]
    const t = px * ax! + py * ay! + pz * az!
    const away = Math.sqrt(Math.max(px * px + py * py + pz * pz - t * t, 0))
    const share = Math.min(Math.max(t / length, 0), 1)
    return box2(away - radius - (endRadius - radius) * share, Math.abs(t - length / 2) - length / 2, edge)
  }
}

/** The same standing around the y axis. */
export function drum(radius: number, height: number, edge = 0): Solid {
  return pillar([0, -height / 2, 0], [0, height / 2, 0], radius, edge)
}

/** A limb with round ends through these points, each with its radius. */
export function limb(...points: [...Point3, radius: number][]): Solid {
  if (points.length > 9) return longLimb(points)
  const parts = points.slice(1).map((b, i) => {
    const a = points[i]!
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const
    return { a, d, swell: b[3] - a[3], square: d[0] * d[0] + d[1] * d[1] + d[2] * d[2] }
  })
  return (x, y, z) => {
    let least = Infinity
    for (const { a, d, swell, square } of parts) {
      const [px, py, pz] = [x - a[0], y - a[1], z - a[2]]
      const t = Math.min(Math.max((px * d[0] + py * d[1] + pz * d[2]) / square, 0), 1)
      least = Math.min(least, Math.hypot(px - d[0] * t, py - d[1] * t, pz - d[2] * t) - a[3] - swell * t)
    }
    return least
  }
}

/** One of many points, in runs of eight: those that are further off than another run are passed over. */
function longLimb(points: [...Point3, radius: number][]): Solid {
  const runs = Array.from({ length: Math.ceil((points.length - 1) / 8) }, (_, i) => {
    const run = points.slice(i * 8, i * 8 + 9)
    const middle = run[run.length >> 1]!
    const reach = Math.max(
      ...run.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]) + p[3]),
    )
    return { middle, reach, solid: limb(...run) }
  })
  return (x, y, z) => {
    let least = Infinity
    for (const { middle, reach, solid } of runs) {
      const away = Math.hypot(x - middle[0], y - middle[1], z - middle[2])
      if (away - reach < least) least = Math.min(least, solid(x, y, z))
    }
    return least
  }
}

export function block([cx, cy, cz]: Point3, [w, h, d]: Point3, edge = 0): Solid {
  return (x, y, z) => {
    const a = Math.abs(x - cx) - w / 2 + edge
    const b = Math.abs(y - cy) - h / 2 + edge
    const c = Math.abs(z - cz) - d / 2 + edge
    const outside = Math.hypot(Math.max(a, 0), Math.max(b, 0), Math.max(c, 0))
    return Math.min(Math.max(a, b, c), 0) + outside - edge
  }
}

/** An outline in the xy plane, `depth` thick around z = 0. */
export function prism(flat: Flat, depth: number, edge = 0): Solid {
  return (x, y, z) => box2(flat(x, y), Math.abs(z) - depth / 2, edge)
}

export function polygon(points: Point2[]): Flat {
  return (x, y) => {
    let [least, sign] = [Infinity, 1]
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [[ax, ay], [bx, by]] = [points[i]!, points[j]!]
      const [ex, ey, wx, wy] = [bx - ax, by - ay, x - ax, y - ay]
      const t = Math.min(Math.max((wx * ex + wy * ey) / (ex * ex + ey * ey), 0), 1)
      least = Math.min(least, (wx - ex * t) ** 2 + (wy - ey * t) ** 2)
      const [above, below, left] = [y >= ay, y < by, ex * wy > ey * wx]
      if (above === below && below === left) sign = -sign
    }
    return sign * Math.sqrt(least)
  }
}

/** A polygon whose corners are rounded. */
export function rounded(points: Point2[], by: number): Flat {
  const core = polygon(inset(points, by))
  return (x, y) => core(x, y) - by
}

/** A polygon lying in the xz plane, `height` thick around y = 0, with its corners and its edges rounded. */
export function tile(points: Point2[], height: number, round: number): Solid {
  const standing = points.map(([x, z]): Point2 => [x, -z])
  return moved(prism(rounded(standing, round), height, round), [0, 0, 0], [-Math.PI / 2, 0, 0])
}

function inset(points: Point2[], by: number): Point2[] {
  const area = points.reduce((sum, [x, y], i) => {
    const [a, b] = points[(i + 1) % points.length]!
    return sum + x * b - a * y
  }, 0)
  const side = Math.sign(area) * by
  return points.map(([x, y], i) => {
    const before = points[(i + points.length - 1) % points.length]!
    const after = points[(i + 1) % points.length]!
    const [[px, py], [qx, qy]] = [inwards(before, [x, y]), inwards([x, y], after)]
    const reach = side / (1 + px * qx + py * qy)
    return [x + (px + qx) * reach, y + (py + qy) * reach]
  })
}

function inwards([ax, ay]: Point2, [bx, by]: Point2): Point2 {
  const length = Math.hypot(bx - ax, by - ay)
  return [(ay - by) / length, (bx - ax) / length]
}

/** A band along a line in the xy plane, of one width or of each point's own. */
export function ribbon(points: (Point2 | Point3)[], width = 0): Flat {
  const line = limb(...points.map(([x, y, own = width]) => [x, y, 0, own / 2] as [...Point3, number]))
  return (x, y) => line(x, y, 0)
}

/** Bodies welded into each other with a fillet of about `soft`. */
export function blend(soft: number, ...solids: Solid[]): Solid {
  return (x, y, z) => {
    let all = Infinity
    for (const solid of solids) all = softMin(all, solid(x, y, z), soft)
    return all
  }
}

/** A body with others taken out of it, the rims rounded by about `soft`. */
export function carve(soft: number, solid: Solid, ...tools: Solid[]): Solid {
  return (x, y, z) => {
    let left = -solid(x, y, z)
    for (const tool of tools) left = softMin(left, tool(x, y, z), soft)
    return -left
  }
}

export function common(soft: number, ...solids: Solid[]): Solid {
  return (x, y, z) => {
    let all = Infinity
    for (const solid of solids) all = softMin(all, -solid(x, y, z), soft)
    return -all
  }
}

/** The same on both sides of the plane x = 0. */
export function bothSides(solid: Solid): Solid {
  return (x, y, z) => solid(Math.abs(x), y, z)
}

export function moved(solid: Solid, to: Point3, turn: Point3 = [0, 0, 0]): Solid {
  const matrix = new Matrix4().makeRotationFromEuler(new Euler(...turn)).setPosition(...to)
  const m = matrix.invert().elements
  return (x, y, z) =>
    solid(
      m[0]! * x + m[4]! * y + m[8]! * z + m[12]!,
      m[1]! * x + m[5]! * y + m[9]! * z + m[13]!,
      m[2]! * x + m[6]! * y + m[10]! * z + m[14]!,
    )
}

/** The distance from a rectangle's corner region, given those from its two sides, with that corner rounded. */
function box2(a: number, b: number, edge: number) {
  const [p, q] = [a + edge, b + edge]
  return Math.min(Math.max(p, q), 0) + Math.hypot(Math.max(p, 0), Math.max(q, 0)) - edge
}

function softMin(a: number, b: number, soft: number) {
  const share = Math.max(soft - Math.abs(a - b), 0)
  return soft > 0 && share > 0 ? Math.min(a, b) - (share * share) / (4 * soft) : Math.min(a, b)
}
