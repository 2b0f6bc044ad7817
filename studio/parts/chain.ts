import { type BufferGeometry, type Material, Mesh, type Object3D, Path, Shape } from 'three'
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js'
import { brass, steel } from '#studio/materials.ts'
import { roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const pitch = 12.7
const links = 126
const flat = -Math.PI / 2

/** 126 links, 5.2 mm over the pins, laid on its side in a coil whose end runs out; the quick link's halves lie by it. */
export function chain(): Model {
  const joints = along(coil, links)
  const outer = oneBody(outerLink())
  const inner = oneBody(innerLink())
  const laid = joints.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = joints[i]!
    const kind = i % 2 ? inner : outer
    return at(kind.clone(), [(x + fromX) / 2, 0, -(y + fromY) / 2], [0, Math.atan2(y - fromY, x - fromX), 0])
  })
  const halves = [at(quickHalf(), [-1, 0, 6.5], [0, 0.25, 0]), at(quickHalf(), [1, 0, -5.5], [0, 3.0, 0])]
  return {
    object: group(at(group(...laid), [0, 2.75, 0]), ...halves),
    views: [
      { azimuth: 0, elevation: 50, fill: 0.9 },
      { azimuth: 25, elevation: 38, detail: { at: [0, 2, 2], width: 72 } },
    ],
  }
}

/** A spiral from the inside out. */
function coil(t: number): Point2 {
  const turns = t * 5.6
  const angle = turns * 2 * Math.PI + 0.9 * Math.PI
  const radius = 23.5 + turns * 9.7 + 7 * Math.max(turns - 5, 0) ** 2
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}

/** Joints of the chain on a curve, each half an inch from the one before. */
function along(curve: (t: number) => Point2, count: number) {
  const joints: Point2[] = [curve(0)]
  let t = 0
  while (joints.length <= count) {
    const [x, y] = joints.at(-1)!
    let [low, high] = [t, t + 0.06]
    for (let round = 0; round < 40; round++) {
      const middle = (low + high) / 2
      const [nx, ny] = curve(middle)
      if (Math.hypot(nx - x, ny - y) < pitch) low = middle
      else high = middle
    }
    t = low
    joints.push(curve(t))
  }
  return joints
}

/** A link plate: two round ends and a waist that leaves them without a corner. It lies in the xy plane. */
function linkPlate(end: number, depth: number, material: Material, holes: Path[]) {
  const shape = new Shape()
  const half = pitch / 2
  const open = 1.21
  const [x, y] = [half - end * Math.cos(open), end * Math.sin(open)]
  const waist = y - x / Math.tan(open)
  shape.absarc(half, 0, end, -Math.PI + open, Math.PI - open, false)
  shape.quadraticCurveTo(0, waist, -x, y)
  shape.absarc(-half, 0, end, open, 2 * Math.PI - open, false)
  shape.quadraticCurveTo(0, -waist, x, -y)
  shape.holes = holes
  return at(plate(shape, depth, material, 0.22, 12), [0, 0, 0], [flat, 0, 0])
}

function slot(long: number, radius = 0.95) {
  const hole = new Path().absarc(long / 2, 0, radius, -Math.PI / 2, Math.PI / 2, false)
  return hole.absarc(-long / 2, 0, radius, Math.PI / 2, (3 * Math.PI) / 2, false) as Path
}

function outerLink() {
  const pin = lathe(
    [
      [0, -2.6],
      [1.5, -2.6],
      [1.75, -2.4],
      [1.75, 2.4],
      [1.5, 2.6],
      [0, 2.6],
    ],
    steel,
    20,
    0,
  )
  const pins = [1, -1].map((x) => at(pin.clone(), [(x * pitch) / 2, 0, 0]))
  const plates = [1, -1].map((y) => at(group(linkPlate(4.15, 0.95, steel, [slot(3.4)])), [0, y * 1.98, 0]))
  return group(...pins, ...plates)
}

function innerLink() {
  const roller = lathe(
    [
      [2.2, -1],
      [3.6, -1],
      [3.875, -0.75],
      [3.875, 0.75],
      [3.6, 1],
      [2.2, 1],
    ],
    steel,
    24,
    0,
  )
  const eyes = [1, -1].map((x) => roundHole((x * pitch) / 2, 0, 1.9))
  const plates = [1, -1].map((y) =>
    at(group(linkPlate(4.25, 0.85, steel, [slot(3.4), ...eyes])), [0, y * 1.1, 0]),
  )
  return group(...[1, -1].map((x) => at(roller.clone(), [(x * pitch) / 2, 0, 0])), ...plates)
}

/**
 * Half a quick link, lying on the ground: a pin riveted into one end, necked where the other half's keyhole slides
 * under its head, and such a keyhole at the other end.
 */
function quickHalf() {
  const pin = lathe(
    [
      [1.78, 0],
      [1.78, 2.55],
      [1.62, 2.75],
      [1.3, 2.85],
      [1.3, 3.75],
      [1.42, 3.85],
      [1.72, 3.9],
      [1.72, 4.3],
      [1.4, 4.62],
      [0.5, 4.7],
      [0, 4.7],
    ],
    steel,
    48,
    0.06,
  )
  const rivet = lathe(
    [
      [0, 0.98],
      [2.15, 0.98],
      [2.05, 1.12],
      [1.78, 1.2],
    ],
    steel,
    48,
    0.04,
  )
  return group(
    at(group(linkPlate(4.2, 1, brass, [keyhole()])), [0, 0.5, 0]),
    at(group(pin, rivet), [-pitch / 2, 0, 0]),
  )
}

/** Round where the pin goes in, and from there a slot as wide as its neck to the pin's place, where its head fits a seat. */
function keyhole() {
  const [seat, entry, neck, wide] = [pitch / 2, pitch / 2 - 3.6, 1.42, 1.86]
  const turn = Math.asin(neck / wide)
  const hole = new Path().absarc(entry, 0, wide, turn, 2 * Math.PI - turn, false)
  return hole.absarc(seat, 0, neck, -Math.PI / 2, Math.PI / 2, false) as Path
}

/** The pieces of one material as a single mesh. */
function oneBody(object: Object3D) {
  object.updateMatrixWorld(true)
  const bodies: BufferGeometry[] = []
  object.traverse((piece) => {
    if (!(piece instanceof Mesh)) return
    const geometry = piece.geometry.index ? piece.geometry.toNonIndexed() : piece.geometry.clone()
    bodies.push(geometry.applyMatrix4(piece.matrixWorld))
  })
  return new Mesh(mergeGeometries(bodies), steel)
}
