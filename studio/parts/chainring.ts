import { Path } from 'three'
import { accent, alloy, anodised } from '#studio/materials.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { disc, hexagon, path, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2, turn } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { narrowWide } from '#studio/shapes/sprocket.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const teeth = 42
const inner = 71.5
const boltCircle = 52
const flat = -Math.PI / 2

/** A narrow-wide ring of 42 teeth on a bolt circle of 104 mm, with its four bolts laid out inside. */
export function chainring(): Model {
  const ring = group(body(), narrowWide(teeth), marks())
  ring.rotation.set(flat, 0, 0.12)
  const bolts = [-24, -8, 8, 24].map((x, i) => {
    const nut = at(chainringNut(), [x + (i % 2), 0, 13 + i], [0, i * 1.9, 0])
    const bolt = at(chainringBolt(), [x, 0, -9 - 1.5 * (i % 2)], [0, i * 0.8, 0])
    return group(nut, bolt)
  })
  const object = group(at(group(ring), [0, 2, 0]), at(group(...bolts), [0, 0, -2], [0, 0.35, 0]))
  return {
    object,
    views: [
      { azimuth: 14, elevation: 50, fill: 0.88 },
      { azimuth: 50, elevation: 36, detail: { at: [39, 0, 33.5], width: 86 } },
    ],
  }
}

/** The plate with its pockets: a frame, and a thinner floor that shows in them. */
function body() {
  const frame = ringShape(6.4)
  for (let i = 0; i < 4; i++) {
    const middle = (i * Math.PI) / 2
    frame.holes.push(pocket(middle + Math.PI / 4, 0.36, 74.2, 77.8), pocket(middle, 0.06, 63.4, 73.4))
  }
  return group(plate(frame, 3.8, anodised, 0.7), plate(ringShape(5), 2, anodised, 0.1))
}

function ringShape(bolt: number) {
  const shape = disc(80.6)
  const hole = new Path()
  for (let i = 0; i < 4; i++) {
    const point = (x: number, y: number) => turn([x, y], (i * Math.PI) / 2)
    const [fromX, fromY] = [inner * Math.cos(0.52), inner * Math.sin(0.52)]
    if (i === 0) hole.moveTo(fromX, -fromY)
    hole.bezierCurveTo(...point(fromX + 4, -fromY + 7), ...point(62, -10.5), ...point(boltCircle, -8.6))
    hole.bezierCurveTo(...point(40.7, -8.6), ...point(40.7, 8.6), ...point(boltCircle, 8.6))
    hole.bezierCurveTo(...point(62, 10.5), ...point(fromX + 4, fromY - 7), ...point(fromX, fromY))
    const start = (i * Math.PI) / 2
    hole.absarc(0, 0, inner, start + 0.52, start + Math.PI / 2 - 0.52, false)
  }
  const bolts = [0, 1, 2, 3].map((i) => roundHole(...turn([boltCircle, 0], (i * Math.PI) / 2), bolt))
  shape.holes = [hole, ...bolts]
  return shape
}

/** A pocket along the ring with round ends, its arc `half` radians to both sides. */
function pocket(middle: number, half: number, from: number, to: number) {
  const [start, end, round] = [middle - half, middle + half, (to - from) / 2]
  const path = new Path().absarc(0, 0, to, start, end, false)
  path.absarc(...turn([from + round, 0], end), round, end, end + Math.PI, false)
  path.absarc(0, 0, from, end, start, true)
  path.absarc(...turn([from + round, 0], start), round, start + Math.PI, start + 2 * Math.PI, false)
  return path as Path
}

function marks() {
  const turned = 0.28
  return at(figures('42T', 4.4, alloy), [...turn([0, -76.2], turned), 1.91], [0, 0, turned])
}

/** M8, its head 12 mm across, for a hexagon key of 5 mm. */
function chainringBolt() {
  const head = plate(withHexagon(5.9, 5), 2, accent, 0.4)
  const thread: Point2[] = [[0, 0]]
  for (let i = 0; i < 5; i++) thread.push([4, 0.3 + i * 0.9], [3.55, 0.75 + i * 0.9])
  thread.push([4, 4.8], [4, 5.6], [0, 5.6])
  return group(at(head, [0, 6.4, 0], [flat, 0, 0]), lathe(thread, accent, 64, 0))
}

function chainringNut() {
  const sleeve = lathe(
    [
      [5, 1.4],
      [5, 5.6],
      [4.2, 5.6],
      [4.2, 1],
      [0, 1],
    ],
    accent,
  )
  return group(at(plate(withHexagon(5.9, 4.2), 1.6, accent, 0.35), [0, 0.8, 0], [flat, 0, 0]), sleeve)
}

function withHexagon(radius: number, key: number) {
  const shape = disc(radius)
  shape.holes.push(path(hexagon(key)))
  return shape
}
