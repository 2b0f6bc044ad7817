import { accent, alloy, anodised, rubber, steel } from '#studio/materials.ts'
import { bolt } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { hose } from '#studio/shapes/hydraulics.ts'
import { disc, hexagon, notched, outline, panel } from '#studio/shapes/outlines.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { slab } from '#studio/shapes/slab.ts'
import { lathe, peg } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { blade, body, clamp, reachScrew, strap } from './brake-lever-castings.ts'

const quarter = Math.PI / 2

/**
 * A lever for a bar of 22.2 mm along the x axis, forward being +z: a cylinder and its reservoir, a hinged clamp with two
 * bolts, a drilled blade. It lies on its clamp and its blade.
 */
export function brakeLever(): Model {
  const cylinder = cast(
    body(),
    [
      [-50, -20, 0],
      [42, 24, 50],
    ],
    0.7,
    anodised,
  )
  const half = cast(
    strap(),
    [
      [-28, -22, -18],
      [4, 26, 1],
    ],
    0.6,
    anodised,
  )
  const lever = cast(
    blade(),
    [
      [14, -8, 26],
      [120, 8, 78],
    ],
    0.4,
    alloy,
  )
  const whole = group(cylinder, half, lever, lid(), ...bolts(), dial(), hoseEnd())
  whole.rotation.x = 0.24
  return {
    object: group(whole),
    views: [
      { azimuth: 16, elevation: 50, fill: 0.9 },
      { azimuth: 38, elevation: 34, detail: { at: [16, 2, 28], width: 116 } },
    ],
  }
}

/** The reservoir's cover with its two screws. */
function lid() {
  const cover = at(
    slab(panel(44, 15, 6), 2.4, anodised, { edge: 0.7, steps: 4 }),
    [0, 0, 0],
    [-quarter, 0, 0],
  )
  const screws = [-17, 17].map((x) =>
    at(
      bolt({ radius: 2.3, height: 1, key: 2.4, lobes: true, material: steel }),
      [x, 0.9, 0],
      [-quarter, 0, 0],
    ),
  )
  return at(group(cover, ...screws), [-8, 16.2, 28])
}

function bolts() {
  const heads = [-5.6, 5.6].map((x) =>
    at(bolt({ radius: 4.2, height: 4, key: 4, material: steel }), [clamp + x, 17.4, -5.4], [0, Math.PI, 0]),
  )
  const hinge = [-1, 1].map((side) =>
    at(slab(disc(2.4), 1, steel, { edge: 0.3 }), [clamp + side * 11.2, -15, 0], [0, quarter, 0]),
  )
  const pivot = [1, -1].map((side) =>
    at(
      bolt({ radius: 4.4, height: 1.8, key: 4, material: steel }),
      [29, side * 9.2, 36],
      [-side * quarter, 0, 0],
    ),
  )
  return [...heads, ...hinge, ...pivot]
}

/** Turned by hand, it brings the blade nearer the bar. */
function dial() {
  const knob = group(
    slab(notched(26, 6, 0.45, 0.42, 0.2), 4, accent, { edge: 0.15 }),
    peg(accent, 0, -2.5, 5, -2.5, 5.6, -1.9, 5.6, 1.9, 5, 2.5, 0, 2.5),
  )
  const collar = lathe(
    [
      [0, -3],
      [3, -3],
      [3, 0.4],
      [4.6, 0.8],
      [4.6, 1.4],
      [0, 1.4],
    ],
    steel,
    48,
  )
  const core = at(bolt({ radius: 3, height: 1, key: 2.5, material: steel }), [0, 0, 5.8])
  const [x, y, z] = reachScrew
  return at(
    group(at(knob, [0, 0, 3.6]), at(collar, [0, 0, 0], [quarter, 0, 0]), core),
    [x, y, z],
    [0, Math.atan2(-3.8, 7.8), 0],
  )
}

/** The nut that holds the hose, its boot, and the first of the hose. */
function hoseEnd() {
  const nut = outline(hexagon(10))
  const boot = lathe(
    [
      [4.6, 0],
      [4.6, 2],
      [4, 4],
      [3.4, 12],
      [3, 12.6],
      [2.5, 12.6],
    ],
    rubber,
    48,
  )
  return group(
    at(slab(nut, 5, steel, { edge: 0.5 }), [-51.2, 1, 29], [0, quarter, 0]),
    at(boot, [-53, 1, 29], [0, 0, quarter]),
    hose([
      [-62, 1, 29],
      [-70, 1, 29],
      [-78, 2, 27],
      [-84, 4, 22],
      [-87, 6, 16],
    ]),
  )
}
