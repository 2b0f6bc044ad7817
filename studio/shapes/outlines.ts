import { Path, Shape, Vector2 } from 'three'
import type { Point2 } from './pieces.ts'

/** An outline from point to point. */
export function outline(points: Point2[]) {
  return new Shape(points.map(([x, y]) => new Vector2(x, y)))
}

export function roundHole(x: number, y: number, radius: number) {
  return new Path().absarc(x, y, radius, 0, 2 * Math.PI, true) as Path
}

/** Where a key fits, `across` its flats, as a hole or as an outline. */
export function hexagon(across: number) {
  const radius = across / Math.sqrt(3)
  return corners(6, (i) => [radius * Math.cos((i * Math.PI) / 3), radius * Math.sin((i * Math.PI) / 3)])
}

/** Six lobes, `across` from tip to tip. */
export function sixLobes(across: number) {
  const [tip, swing] = [across / 2, across * 0.07]
  return corners(72, (i) => {
    const turn = (i / 72) * 2 * Math.PI
    const radius = tip - swing + swing * Math.cos(6 * turn)
    return [radius * Math.cos(turn), radius * Math.sin(turn)]
  })
}

function corners(count: number, corner: (i: number) => Point2) {
  return Array.from({ length: count }, (_, i) => corner(i))
}

/** A hole from point to point. */
export function path([first, ...rest]: Point2[]) {
  const found = new Path()
  found.moveTo(...first!)
  for (const point of rest) found.lineTo(...point)
  found.closePath()
  return found
}

/** A circle, with a hole in it if that has a radius. */
export function disc(radius: number, hole = 0) {
  const shape = new Shape().absarc(0, 0, radius, 0, 2 * Math.PI, false) as Shape
  if (hole > 0) shape.holes.push(roundHole(0, 0, hole))
  return shape
}

/** A rectangle with round corners, in the middle of the plane. */
export function panel(wide: number, high: number, radius: number) {
  const [a, b] = [wide / 2 - radius, high / 2 - radius]
  const shape = new Shape()
  shape.absarc(a, b, radius, 0, Math.PI / 2, false)
  shape.absarc(-a, b, radius, Math.PI / 2, Math.PI, false)
  shape.absarc(-a, -b, radius, Math.PI, 1.5 * Math.PI, false)
  shape.absarc(a, -b, radius, 1.5 * Math.PI, 2 * Math.PI, false)
  shape.closePath()
  return shape
}

/** The outline of a wheel with this many notches, `share` of each step being notch. */
export function notched(count: number, radius: number, depth: number, share: number, corner = 0.5) {
  const shape = new Shape()
  for (let i = 0; i < count; i++) {
    const [start, step] = [(i / count) * 2 * Math.PI, (2 * Math.PI) / count]
    const [from, to] = [start + (step * share) / 2, start + step - (step * share) / 2]
    const soft = corner / radius
    const spot = (r: number, turn: number) => [r * Math.cos(turn), r * Math.sin(turn)] as const
    if (i === 0) shape.moveTo(...spot(radius - depth, start - (step * share) / 2 + soft))
    shape.lineTo(...spot(radius - depth, from - soft))
    shape.quadraticCurveTo(...spot(radius - depth, from), ...spot(radius - depth + corner, from))
    shape.lineTo(...spot(radius - corner, from))
    shape.quadraticCurveTo(...spot(radius, from), ...spot(radius, from + soft))
    shape.absarc(0, 0, radius, from + soft, to - soft, false)
    shape.quadraticCurveTo(...spot(radius, to), ...spot(radius - corner, to))
    shape.lineTo(...spot(radius - depth + corner, to))
    shape.quadraticCurveTo(...spot(radius - depth, to), ...spot(radius - depth, to + soft))
  }
  shape.closePath()
  return shape
}
