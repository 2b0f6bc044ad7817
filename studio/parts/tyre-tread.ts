import { BufferAttribute, BufferGeometry, type Material, Mesh, ShapeUtils, Vector2 } from 'three'
import type { Point2 } from '#studio/shapes/pieces.ts'

/** A tyre's shape: the middle of its section is `ring` from the axle, the casing's outside `section` from that. */
export interface Casing {
  ring: number
  section: number
}

/** A block of tread: its outline in mm, along the tyre and across it, round its middle. */
export interface Block {
  outline: Point2[]
  height: number
  /** Degrees from the crown to its middle. */
  across: number
  /** Around the tyre, in turns from 0 to 1. */
  turn: number
  /** By how much each side leans. */
  draft?: number
}

/** All blocks as one mesh, laid on the casing; the axle is z. */
export function tread(casing: Casing, blocks: Block[], material: Material) {
  const places: number[] = []
  for (const block of blocks) for (const point of faces(block)) places.push(...onCasing(casing, block, point))
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3))
  const uvs = new Float32Array((places.length / 3) * 2)
  for (let i = 0; i < uvs.length / 2; i++) {
    uvs[2 * i] = (places[3 * i]! + places[3 * i + 2]!) / 40
    uvs[2 * i + 1] = (places[3 * i + 1]! + places[3 * i + 2]! * 0.7) / 40
  }
  geometry.setAttribute('uv', new BufferAttribute(uvs, 2))
  geometry.computeVertexNormals()
  return new Mesh(geometry, material)
}

type Local = [along: number, across: number, height: number]

/** The triangles of a block: leaning sides, a broken edge, a flat top. */
function faces({ outline, height, draft = 0.5 }: Block) {
  const edge = 0.35
  const contour = outline.map(([x, y]) => new Vector2(x, y))
  const rings = [
    lift(grown(contour, draft), -1),
    lift(contour, height - edge),
    lift(grown(contour, -edge), height),
  ] as const
  const all: Local[] = []
  const count = contour.length
  for (const [low, high] of [
    [rings[0], rings[1]],
    [rings[1], rings[2]],
  ] as const)
    for (let i = 0; i < count; i++) {
      const next = (i + 1) % count
      all.push(low[i]!, low[next]!, high[next]!, low[i]!, high[next]!, high[i]!)
    }
  for (const face of ShapeUtils.triangulateShape(contour, [])) for (const i of face) all.push(rings[2][i]!)
  return all
}

function lift(contour: Vector2[], height: number) {
  return contour.map(({ x, y }): Local => [x, y, height])
}

/** An outline (counter-clockwise) moved outwards by `by`. */
function grown(contour: Vector2[], by: number) {
  const count = contour.length
  return contour.map((here, i) => {
    const [before, after] = [contour[(i + count - 1) % count]!, contour[(i + 1) % count]!]
    const a = here.clone().sub(before).normalize()
    const b = after.clone().sub(here).normalize()
    const normal = new Vector2(a.y + b.y, -a.x - b.x).normalize()
    const lean = Math.max(0.5, normal.dot(new Vector2(a.y, -a.x)))
    return here.clone().addScaledVector(normal, by / lean)
  })
}

function onCasing({ ring, section }: Casing, { across, turn }: Block, [along, side, height]: Local) {
  const tilt = (across * Math.PI) / 180 + side / section
  const radius = ring + (section + height) * Math.cos(tilt)
  const z = (section + height) * Math.sin(tilt)
  const angle = turn * 2 * Math.PI + along / (ring + section)
  return [radius * Math.cos(angle), radius * Math.sin(angle), z]
}

/** A rectangle with cut corners, skewed along the tyre by `skew`, counter-clockwise. */
export function brick(long: number, wide: number, cut = 1.2, skew = 0): Point2[] {
  const [a, b] = [long / 2, wide / 2]
  const corners: Point2[] = [
    [-a + cut, -b],
    [a - cut, -b],
    [a, -b + cut],
    [a, b - cut],
    [a - cut, b],
    [-a + cut, b],
    [-a, b - cut],
    [-a, -b + cut],
  ]
  return corners.map(([x, y]) => [x + (y / b) * skew, y])
}
