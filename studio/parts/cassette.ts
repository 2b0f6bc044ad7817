import { Path, Shape, Vector2 } from 'three'
import { alloy, anodised, darkSteel, steel } from '#studio/materials.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { disc, roundHole } from '#studio/shapes/outlines.ts'
import { around, at, group, turn } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { sprocket } from '#studio/shapes/sprocket.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const cogs = [11, 13, 15, 17, 19, 21, 24, 28, 33, 39, 45, 51]
/** From one cog to the next. */
const pitch = 3.6
const thick = 1.7
const bore = 17.4

/** Twelve cogs from 11 to 51 teeth for a splined body of 34.6 mm, lying on the largest. */
export function cassette(): Model {
  const all = group(
    ...cogs.map((teeth, i) => at(cog(teeth, i), [0, 0, (cogs.length - 1 - i) * pitch], [0, 0, i * 0.41])),
  )
  const object = group(group(all, ...spacers(), at(lockring(), [0, 0, cogs.length * pitch - 2.2])))
  object.children[0]!.rotation.x = -Math.PI / 2
  return {
    object,
    views: [
      { azimuth: 20, elevation: 42, fill: 0.86 },
      { azimuth: 40, elevation: 30, detail: { at: [16, 24, 24], width: 112 } },
    ],
  }
}

/** A cog, thinner where the chain climbs. */
function cog(teeth: number, i: number) {
  const material = teeth >= 45 ? anodised : steel
  const { shape, pitchRadius } = sprocket(teeth, 3.1)
  const front = ramped(shape, pitchRadius, teeth)
  const holes = windows(teeth, pitchRadius)
  shape.holes = holes
  front.holes = holes
  const facing = -Math.PI / 2 - i * 0.41 + 0.3 * (i - 9)
  const number = at(
    figures(`${teeth}T`, 2.8, darkSteel),
    [...turn([pitchRadius - 6.2, 0], facing), thick / 2 + 0.02],
    [0, 0, facing + Math.PI / 2],
  )
  return group(
    plate(front, thick, material, 0.25),
    at(plate(shape, thick - 0.75, material, 0.06), [0, 0, -0.375]),
    ...(teeth >= 45 ? [carrier(pitchRadius)] : []),
    ...(i > 7 ? [number] : []),
  )
}

/** The same outline with some teeth and the face below them taken back, in steps around the cog. */
function ramped(shape: Shape, pitchRadius: number, teeth: number) {
  const gates = Math.max(2, Math.round(teeth / 6))
  const step = (2 * Math.PI) / gates
  const wide = (2.3 * 2 * Math.PI) / teeth
  const points = shape.getPoints(1).map((point) => {
    const angle = (Math.atan2(point.y, point.x) + 4 * Math.PI) % step
    if (angle > wide) return point
    const depth = 1.2 + 4.2 * Math.min(1, (1 - angle / wide) * 1.6)
    const radius = Math.min(point.length(), pitchRadius + 1.2 - depth)
    return new Vector2(point.x, point.y).setLength(radius)
  })
  return new Shape(points)
}

/** The bore with its splines for small cogs; arms between a rim and a hub for larger ones. */
function windows(teeth: number, pitchRadius: number) {
  if (teeth <= 21) return [splinedBore()]
  const rim = pitchRadius - (teeth > 30 ? 10.5 : 8.2)
  const hub = teeth >= 45 ? 0 : 23
  if (!hub) return [roundHole(0, 0, rim)]
  const count = teeth < 30 ? 8 : 6
  return [
    splinedBore(),
    ...Array.from({ length: count }, (_, i) => opening((i * 2 * Math.PI) / count, hub, rim, count)),
  ]
}

function opening(middle: number, from: number, to: number, count: number) {
  const [outer, inner] = [Math.PI / count - 3.4 / to, Math.PI / count - 3.2 / from]
  const path = new Path()
  path.absarc(0, 0, to, middle - outer + 0.08, middle + outer - 0.08, false)
  path.quadraticCurveTo(...turn([to, 0], middle + outer), ...turn([to - 2, 0], middle + outer))
  path.lineTo(...turn([from, 0], middle + inner))
  path.absarc(0, 0, from, middle + inner, middle - inner, true)
  path.lineTo(...turn([to - 2, 0], middle - outer))
  path.quadraticCurveTo(...turn([to, 0], middle - outer), ...turn([to, 0], middle - outer + 0.08))
  return path
}

function splinedBore() {
  const points = Array.from({ length: 36 }, (_, i) =>
    turn([Math.floor(i / 2) % 2 ? bore : bore - 1.3, 0], (i * Math.PI) / 18),
  )
  return new Path(points.map(([x, y]) => new Vector2(x, y)))
}

/** The riveted spider that holds a large cog: arms from the hub to the rim. */
function carrier(pitchRadius: number) {
  const rim = pitchRadius - 9.4
  const arm = new Shape()
  arm.moveTo(21, -9)
  arm.bezierCurveTo(40, -5, rim - 16, -4.2, rim + 3, -5.6)
  arm.lineTo(rim + 3, 5.6)
  arm.bezierCurveTo(rim - 16, 4.2, 40, 5, 21, 9)
  const slot = new Path()
  slot.moveTo(30, -3.4)
  slot.bezierCurveTo(40, -2.2, 46, -1.6, rim - 9, -1.4)
  slot.absarc(rim - 9, 0, 1.4, -Math.PI / 2, Math.PI / 2, false)
  slot.bezierCurveTo(46, 1.6, 40, 2.2, 30, 3.4)
  slot.absarc(30, 0, 3.4, Math.PI / 2, (3 * Math.PI) / 2, false)
  arm.holes.push(slot)
  const hub = disc(23.5)
  hub.holes.push(splinedBore())
  const rivet = lathe(
    [
      [2.4, 0],
      [2.4, 0.5],
      [1.8, 0.9],
      [0, 1],
    ],
    steel,
    32,
  )
  const arms = around(6, () =>
    group(
      at(plate(arm, 2, alloy, 0.4), [0, 0, -1]),
      at(rivet.clone(), [rim + 0.2, 0, 0.85], [Math.PI / 2, 0, 0]),
    ),
  )
  return group(arms, plate(hub, 2.4, alloy, 0.3))
}

function spacers() {
  return cogs.slice(1).map((_, i) => {
    const ring = disc(20.6)
    ring.holes.push(splinedBore())
    return at(plate(ring, pitch - thick + 0.1, anodised, 0.1), [0, 0, (i + 0.5) * pitch])
  })
}

/** 40 Nm, with twelve notches for its key. */
function lockring() {
  const shape = disc(17.1)
  const points = Array.from({ length: 48 }, (_, i) =>
    turn([Math.floor(i / 2) % 2 ? 12.3 : 11, 0], (i * Math.PI) / 24),
  )
  shape.holes.push(new Path(points.map(([x, y]) => new Vector2(x, y))))
  const sleeve = lathe(
    [
      [14.6, -9],
      [14.6, 0],
      [12.4, 0],
      [12.4, -9],
    ],
    darkSteel,
  )
  const serrations = around(48, () => at(plate(disc(0.42), 0.5, steel, 0, 6), [15.6, 0, 0.75]))
  return group(plate(shape, 2.2, steel, 0.45), at(sleeve, [0, 0, 0], [Math.PI / 2, 0, 0]), serrations)
}
