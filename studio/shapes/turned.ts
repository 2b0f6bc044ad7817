import { LatheGeometry, type Material, Mesh, ShapeGeometry, Vector2 } from 'three'
import { outline } from './outlines.ts'
import { at, group, type Point2 } from './pieces.ts'
import { smooth } from './smooth.ts'

/**
 * Turned on a lathe around the y axis: a profile of [radius, height], from the bottom up along the outside. Edges where
 * it bends sharply are broken by `bevel`, so that they catch the light.
 */
export function lathe(profile: Point2[], material: Material, segments = 128, bevel = 0.2) {
  const points = broken(profile, bevel).map(([radius, height]) => new Vector2(Math.max(radius, 0), height))
  return new Mesh(smooth(new LatheGeometry(points, segments), 0.9), material)
}

/** The same around the z axis. */
export function turnedZ(profile: Point2[], material: Material, segments = 128) {
  return at(lathe(profile, material, segments), [0, 0, 0], [Math.PI / 2, 0, 0])
}

/** A turned piece along the z axis, its profile as radius and height in turns, from the back to the front. */
export function peg(material: Material, ...profile: number[]) {
  const points = profile.flatMap((radius, i): Point2[] => (i % 2 ? [] : [[radius, profile[i + 1]!]]))
  return group(turnedZ(points, material, 96))
}

/** A turned ring with a gap of this width towards an angle from the z axis, so that it springs. */
export function splitRing(profile: Point2[], gap: number, towards: number, material: Material) {
  const points = broken(profile, 0.2)
  const half = gap / 2 / points[0]![0]
  const turned = points.map(([radius, height]) => new Vector2(radius, height))
  const body = new LatheGeometry(turned, 128, towards + half, 2 * (Math.PI - half))
  const ends = [1, -1].map((side) => {
    const face = new ShapeGeometry(outline(points.map(([radius, height]) => [side * radius, height])))
    return at(new Mesh(face, material), [0, 0, 0], [0, towards + side * (half - Math.PI / 2), 0])
  })
  return group(new Mesh(smooth(body, 0.9), material), ...ends)
}

/** A profile whose sharp corners are cut off. */
function broken(profile: Point2[], bevel: number): Point2[] {
  return profile.flatMap((point, i) => {
    const [before, after] = [profile[i - 1], profile[i + 1]]
    if (!before || !after || bevel <= 0) return [point]
    const [inLength, outLength] = [distance(before, point), distance(point, after)]
    const turn = Math.atan2(after[1] - point[1], after[0] - point[0])
    const bend = Math.abs(turn - Math.atan2(point[1] - before[1], point[0] - before[0])) % (2 * Math.PI)
    if (Math.min(bend, 2 * Math.PI - bend) < 0.6 || inLength * outLength === 0) return [point]
    const cut = Math.min(bevel, inLength * 0.35, outLength * 0.35)
    return [between(point, before, cut / inLength), between(point, after, cut / outLength)]
  })
}

function distance(a: Point2, b: Point2) {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

function between(a: Point2, b: Point2, share: number): Point2 {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/** The flanks of a thread on a profile for the lathe, from one height to another. */
export function threads(
  radius: number,
  from: number,
  to: number,
  pitch: number,
  depth = pitch * 0.5,
): Point2[] {
  const count = Math.max(1, Math.round(Math.abs(to - from) / pitch))
  const step = (to - from) / count
  return Array.from({ length: count }, (_, i): Point2[] => [
    [radius - depth, from + step * (i + 0.1)],
    [radius, from + step * (i + 0.5)],
    [radius, from + step * (i + 0.6)],
    [radius - depth, from + step * (i + 1)],
  ]).flat()
}
