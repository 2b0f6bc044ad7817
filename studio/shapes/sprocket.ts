import { anodised } from '#studio/materials.ts'
import { outline, roundHole } from './outlines.ts'
import { around, group, type Point2, turn } from './pieces.ts'
import { plate } from './plate.ts'

/**
 * The outline of a sprocket for bicycle chain of half an inch: a roller of 7.75 mm lies in each root, on the pitch
 * circle, and the teeth stand up to `height` above it. A gap is at angle 0, the first tooth follows.
 */
export function sprocket(teeth: number, height = 3.4) {
  const { gap, flank, tip, pitchRadius } = toothForm(teeth, height)
  const points: Point2[] = []
  for (let i = 0; i < teeth; i++) {
    const turned = (point: Point2) => turn(point, (i * 2 * Math.PI) / teeth)
    points.push(...gap.map(turned), ...flank.map(turned), ...tip.map(turned))
    points.push(...flank.toReversed().map((point) => turn(mirrored(point, teeth), (i * 2 * Math.PI) / teeth)))
  }
  return { shape: outline(points), pitchRadius }
}

/** The outline of one tooth, the one after the gap at angle 0, from `depth` below the pitch circle up. */
export function tooth(teeth: number, height = 3.4, depth = 6) {
  const { gap, flank, tip, pitchRadius } = toothForm(teeth, height)
  const side = [...gap.slice(gap.length >> 1), ...flank]
  const foot = [pitchRadius - depth, 0] as const
  return outline([
    foot,
    ...side,
    ...tip,
    ...side.toReversed().map((point) => mirrored(point, teeth)),
    mirrored(foot, teeth),
  ])
}

/** The root around a roller at angle 0, and the tooth after it: its near flank and its tip. */
function toothForm(teeth: number, height: number) {
  const pitchRadius = 12.7 / (2 * Math.sin(Math.PI / teeth))
  const roller = 3.95
  const open = (68 * Math.PI) / 180
  const gap = Array.from({ length: 11 }, (_, k): Point2 => {
    const angle = (k / 5 - 1) * open
    return [pitchRadius - Math.cos(angle) * roller, Math.sin(angle) * roller]
  })
  const [x, y] = gap[10]!
  const rise = pitchRadius + height - x
  const flank = [0.3, 0.55, 0.75, 0.9].map((share): Point2 => {
    return [x + rise * share, y + rise * (share * 0.3 + share ** 3 * 0.14)]
  })
  const top = pitchRadius + height
  const middle = Math.PI / teeth
  const edge = (flank[3]![1] + 0.5) / top
  const tip = [edge, middle, 2 * middle - edge].map((angle): Point2 => turn([top, 0], angle))
  return { gap, flank, tip, pitchRadius }
}

/** The same point on the tooth's far side. */
function mirrored([x, y]: Point2, teeth: number) {
  return turn([x, -y], (2 * Math.PI) / teeth)
}

/** A ring's teeth: each 2 mm thick, and every other one 3.7 mm, to fill the gap between a chain's outer plates. */
export function narrowWide(teeth: number) {
  const { shape, pitchRadius } = sprocket(teeth)
  shape.holes.push(roundHole(0, 0, pitchRadius - 8))
  const wide = plate(tooth(teeth, 3.1, 5.2), 3.7, anodised, 0.75)
  return group(
    plate(shape, 2, anodised, 0.4),
    around(teeth / 2, () => wide.clone()),
  )
}
