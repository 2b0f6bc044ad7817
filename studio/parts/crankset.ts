import { Path, Vector2 } from 'three'
import { accent, anodised, glossBlack, steel, turned } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { disc, hexagon, path, roundHole } from '#studio/shapes/outlines.ts'
import { around, at, group, onGround, turn } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { blend, carve, limb, pillar, prism, type Solid } from '#studio/shapes/solid.ts'
import { narrowWide } from '#studio/shapes/sprocket.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const length = 170
const teeth = 34
/** Half the thickness of an arm. */
const half = 7
/** The ring's middle, behind the arm's. */
const ringAt = -10.5
const flat = -Math.PI / 2

/**
 * Arms of 170 mm: the right one with its 34-tooth ring leans on its spindle, which is 24 mm thick; the left one, with
 * its preload cap, lies in front.
 */
export function crankset(): Model {
  const right = group(arm(1), at(ring(), [0, 0, ringAt]), spindle(), rightCap())
  right.rotation.z = -0.4
  const leaning = group(right)
  leaning.rotation.x = -0.476
  const left = group(arm(-1), preloadCap())
  left.rotation.x = flat
  return {
    object: group(onGround(group(leaning)), at(onGround(group(left)), [-62, 0, 96], [0, -0.1, 0])),
    views: [
      { azimuth: 12, elevation: 30, fill: 0.86 },
      { azimuth: 196, elevation: 26, detail: { at: [8, 42, -36], width: 246 } },
    ],
  }
}

/** Forged, hollowed along its outer face, further out at the pedal than at the spindle. Outwards is +z. */
function arm(side: 1 | -1) {
  const waist = limb([0, 0, 0, 17], [52, 0, 0, 13.2], [128, 0, 0, 11.4], [length, 0, 0, 14.2])
  const straight = prism((x, y) => waist(x, y, 0), 2 * half, 3.6)
  const bent: Solid = (x, y, z) => straight(x, y, z - flare(x))
  const body = blend(5, bent, pillar([0, 0, -half - 1], [0, 0, half + 2], 20.5, 2.5))
  const face = (x: number) => flare(x) + half
  const trough = limb([40, 0, face(40) + 4.2, 8], [96, 0, face(96) + 4.4, 7.4], [134, 0, face(134) + 4, 6])
  const holes = [
    pillar([length, 0, -9], [length, 0, 40], 7.15),
    pillar([length, 0, face(length) - 0.8], [length, 0, 40], 9.6, 0.2),
    pillar([0, 0, side > 0 ? 2 : -20], [0, 0, 20], 12),
  ]
  const forged = cast(
    carve(0.8, body, trough, ...holes),
    [
      [-24, -24, -14],
      [190, 24, 26],
    ],
    0.8,
    glossBlack,
  )
  const thread = at(
    lathe(grooves(7.1, 12), steel, 64, 0),
    [length, 0, flare(length) - 6],
    [Math.PI / 2, 0, 0],
  )
  const mark = at(figures('170', 4.6, turned), [149, 0, face(149) + 0.05], [0, -0.04, 0])
  return group(forged, thread, ...(side > 0 ? [] : [mark]))
}

function flare(x: number) {
  const share = Math.min(Math.max(x / length, 0), 1)
  return 11 * share * share * (3 - 2 * share)
}

/** A threaded bore, seen from inside. */
function grooves(radius: number, deep: number) {
  return Array.from({ length: deep * 2 + 1 }, (_, i) => [radius - (i % 2) * 0.5, deep - i / 2] as const)
}

/** The 34-tooth ring with six arms from its mount. */
function ring() {
  const web = disc(64.6)
  for (let i = 0; i < 6; i++) web.holes.push(window(i * (Math.PI / 3)))
  const mount = disc(26)
  for (let i = 0; i < 3; i++) mount.holes.push(roundHole(...turn([17.2, 0], (i * 2 * Math.PI) / 3), 3.2))
  const screws = around(3, () => at(screw(), [17.2, 0, -2.8], [-Math.PI / 2, 0, 0]))
  return group(
    plate(web, 3.4, anodised, 0.5),
    at(plate(mount, 5, anodised, 0.6), [0, 0, -1]),
    screws,
    narrowWide(teeth),
  )
}

function window(middle: number) {
  const path = new Path()
  const corner = (radius: number, angle: number) => turn([radius, 0], middle + angle)
  path.moveTo(...corner(57.5, -0.36))
  path.absarc(0, 0, 57.5, middle - 0.36, middle + 0.36, false)
  path.bezierCurveTo(...corner(58, 0.43), ...corner(55, 0.46), ...corner(51, 0.42))
  path.bezierCurveTo(...corner(42, 0.3), ...corner(32, 0.3), ...corner(30.5, 0))
  path.bezierCurveTo(...corner(32, -0.3), ...corner(42, -0.3), ...corner(51, -0.42))
  path.bezierCurveTo(...corner(55, -0.46), ...corner(58, -0.43), ...corner(57.5, -0.36))
  return path
}

function screw() {
  const head = disc(4.6)
  head.holes.push(path(hexagon(3)))
  return group(
    at(plate(head, 2.4, steel, 0.3), [0, 1.2, 0], [flat, 0, 0]),
    lathe(
      [
        [0, 0.6],
        [3, 0.6],
        [3, -1],
        [0, -1],
      ],
      steel,
      48,
    ),
  )
}

/** Hollow, with splines for the left arm at its far end. */
function spindle() {
  const profile = [
    [9, -126],
    [11.4, -126],
    [12, -125],
    [12, -4],
    [9, -4],
    [9, -126],
  ] as const
  const tube = lathe([...profile], turned, 160)
  const splines = around(24, () => at(plate(disc(0.9), 14, steel, 0.2, 12), [11.6, 0, -116]))
  const collar = lathe(
    [
      [12, -24],
      [15, -24],
      [15, -17],
      [12, -17],
    ],
    anodised,
  )
  return group(at(group(tube, collar), [0, 0, 0], [Math.PI / 2, 0, 0]), splines)
}

function rightCap() {
  const cap = lathe(
    [
      [0, 0],
      [11.4, 0],
      [11.4, 1.6],
      [9.4, 2],
      [8.2, 0.9],
      [0, 0.9],
    ],
    anodised,
  )
  return at(cap, [0, 0, half + 0.2], [Math.PI / 2, 0, 0])
}

/** Turned with a splined key, in the left arm's boss. */
function preloadCap() {
  const shape = disc(10.6)
  const star = Array.from({ length: 16 }, (_, i) => turn([i % 2 ? 5 : 6.6, 0], (i * Math.PI) / 8))
  shape.holes.push(new Path(star.map(([x, y]) => new Vector2(x, y))))
  const sleeve = lathe(
    [
      [8.4, -8],
      [8.4, 0],
      [6.8, 0],
      [6.8, -8],
    ],
    accent,
  )
  const splined = lathe(
    [
      [12, -half - 3],
      [11.3, -half - 3],
      [11.3, half],
      [12, half],
    ],
    steel,
  )
  return group(
    at(plate(shape, 2.4, accent, 0.5), [0, 0, half + 2.2]),
    at(group(sleeve, splined), [0, 0, 0], [Math.PI / 2, 0, 0]),
  )
}
