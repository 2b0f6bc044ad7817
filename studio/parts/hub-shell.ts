import type { Material } from 'three'
import { alloy, anodised, plastic, steel } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { outline, roundHole } from '#studio/shapes/outlines.ts'
import { around, at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { canvasOf, print } from '#studio/shapes/prints.ts'
import { dark } from '#studio/shapes/spoke.ts'
import { turnedZ } from '#studio/shapes/turned.ts'

/** Where the holes for the spokes are: a circle of 58 mm. */
export const holeCircle = 29

/** Along the axle, from the middle of the hub; the disc is at +z. In mm. */
export interface HubSize {
  holes: number
  /** Between the dropouts. */
  width: number
  bore: number
  discFlange: number
  otherFlange: number
  /** The face that the disc lies on. */
  disc: number
  /** Where the shell ends on the other side. */
  otherEnd: number
}

export function ring(radius: number, middle: number, wide: number, material: Material) {
  const [from, to] = [middle - wide / 2, middle + wide / 2]
  return turnedZ(
    [
      [radius - 2, from],
      [radius - 0.3, from],
      [radius, from + 0.3],
      [radius, to - 0.3],
      [radius - 0.3, to],
      [radius - 2, to],
    ],
    material,
  )
}

/** The shell: two flanges with a waist between them and a neck outside each. */
export function shell({ holes, discFlange, otherFlange, disc, otherEnd }: HubSize) {
  const waist = waistOf(otherFlange, discFlange)
  const body = turnedZ(
    [
      [14.2, otherEnd],
      [18.4, otherEnd],
      [19, otherEnd + 0.6],
      [19.4, otherFlange - 5],
      [20.4, otherFlange - 3],
      [24, otherFlange - 1],
      ...waist,
      [24, discFlange + 1],
      [20.8, discFlange + 3],
      [19.4, discFlange + 5.5],
      [19.4, disc - 6],
    ],
    anodised,
    160,
  )
  return group(
    body,
    at(flange(holes / 2), [0, 0, discFlange]),
    at(flange(holes / 2), [0, 0, otherFlange], [0, 0, (2 * Math.PI) / holes]),
  )
}

/** The shell between its flanges. */
function waistOf(from: number, to: number) {
  return Array.from({ length: 49 }, (_, i): Point2 => {
    const near = Math.abs(i / 24 - 1)
    return [15.2 + 2.4 * near ** 2 + 7.2 * near ** 9, from + 1 + (i / 48) * (to - from - 2)]
  })
}

/** The hub's name along its waist, as a laser marks it. */
export function mark({ otherFlange, discFlange }: HubSize) {
  const { canvas, context } = canvasOf(640, 128)
  context.strokeStyle = '#c3c6ca'
  write(context, 'FALLOW', 34, 110, 92, 0.15)
  const middle = (otherFlange + discFlange) / 2
  const band = waistOf(otherFlange, discFlange)
    .filter(([, z]) => Math.abs(z - middle) < 10.5)
    .map(([r, z]): Point2 => [r + 0.06, z])
  const long = band.at(-1)![1] - band[0]![1]
  const piece = print(band, ((long / 5) * 180) / Math.PI / 15.4, canvas, { metalness: 0.6 }, -Math.PI / 2)
  piece.rotation.z = -0.8
  return piece
}

/** A flange, 3.2 mm thick, a little hollow between its holes; hole 0 is at the angle 0. */
function flange(holes: number) {
  const points: Point2[] = []
  for (let i = 0; i < holes * 14; i++) {
    const turn = (i / (holes * 14)) * 2 * Math.PI
    const radius = holeCircle + 3.9 + 0.5 * Math.cos(turn * holes)
    points.push([radius * Math.cos(turn), radius * Math.sin(turn)])
  }
  const shape = outline(points)
  shape.holes.push(roundHole(0, 0, 18))
  for (let i = 0; i < holes; i++) {
    const turn = (i / holes) * 2 * Math.PI
    shape.holes.push(roundHole(holeCircle * Math.cos(turn), holeCircle * Math.sin(turn), 1.3))
  }
  return plate(shape, 3.2, anodised, 0.45, 12)
}

/** The six-bolt mount: threaded M5 holes on a circle of 44 mm around a seat of 34 mm. */
export function discMount({ disc }: HubSize) {
  const points: Point2[] = []
  for (let i = 0; i < 360; i++) {
    const turn = (i / 360) * 2 * Math.PI
    const off = ((i + 30) % 60) - 30
    const side = 22 * Math.sin((off * Math.PI) / 180)
    const lobe = Math.abs(side) < 5 ? 22 * Math.cos((off * Math.PI) / 180) + Math.sqrt(25 - side * side) : 0
    const radius = Math.max(20.6, lobe)
    points.push([radius * Math.cos(turn), radius * Math.sin(turn)])
  }
  const shape = outline(points)
  shape.holes.push(roundHole(0, 0, 16))
  for (let i = 0; i < 6; i++) {
    const turn = (i / 6) * 2 * Math.PI
    shape.holes.push(roundHole(22 * Math.cos(turn), 22 * Math.sin(turn), 2.2))
  }
  const threads = around(6, () => at(thread(2.2, 7), [22, 0, disc - 7.6]))
  const seat = turnedZ(
    [
      [16.9, disc - 1],
      [16.9, disc + 1.2],
      [16.5, disc + 1.6],
      [14.6, disc + 1.6],
      [14.2, disc + 1.2],
      [14.2, disc - 6],
    ],
    anodised,
  )
  return group(at(plate(shape, 7.6, anodised, 0.5, 16), [0, 0, disc - 3.8]), threads, seat)
}

/** A threaded hole seen from outside, its bottom dark. */
function thread(radius: number, deep: number, pitch = 0.8, segments = 32) {
  const profile: Point2[] = [[0, 0]]
  for (let z = deep; z > 0; z -= pitch) profile.splice(1, 0, [radius - 0.35, z - pitch / 2], [radius, z])
  const rings = profile.slice(1).reverse()
  return group(
    turnedZ(rings, steel, segments),
    turnedZ(
      [
        [radius, 0.3],
        [0, 0.3],
      ],
      dark,
      segments,
    ),
  )
}

/** The seal of the bearing, and the cap that is pushed over the axle, out to the dropout. */
export function axleEnd({ width, bore }: HubSize, side: 1 | -1, end: number, collar = 12.6) {
  const face = width / 2
  const cap = turnedZ(
    [
      [bore + 3, end - 5],
      [collar - 0.2, end - 1],
      [collar, end + 0.6],
      [collar, end + 2.2],
      [collar - 0.5, end + 2.7],
      [bore + 3.2, end + 3.4],
      [bore + 3, end + 4],
      [bore + 3, face - 3.4],
      [bore + 2.7, face - 3],
      [bore + 2.7, face - 2.4],
      [bore + 3, face - 2],
      [bore + 3, face - 0.5],
      [bore + 2.5, face],
      [bore + 0.4, face],
      [bore, face - 0.4],
      [bore, face - 30],
      [0, face - 30],
    ],
    alloy,
  )
  const seal = turnedZ(
    [
      [14.3, end - 0.6],
      [13.8, end - 0.5],
      [13.5, end - 0.9],
      [12.9, end - 0.9],
      [12.4, end - 0.5],
      [11, end - 0.5],
    ],
    plastic,
  )
  return at(group(cap, seal), [0, 0, 0], [side === 1 ? 0 : Math.PI, 0, 0])
}
