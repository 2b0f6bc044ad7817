import { type MeshPhysicalMaterial, Vector3 } from 'three'
import { accent, anodised, plastic, rubber } from '#studio/materials.ts'
import { screw } from '#studio/shapes/bolts.ts'
import { cast } from '#studio/shapes/cast.ts'
import { at, group } from '#studio/shapes/pieces.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import { carve, pillar } from '#studio/shapes/solid.ts'
import { skin } from '#studio/shapes/tubes.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const soft = rubber.clone() as MeshPhysicalMaterial
const length = 133

/** Two lock-on grips of 133 mm, 31 mm thick, the clamp with its bolt at the inner end, for bars of 22.2 mm. */
export function grips(): Model {
  const front = grip()
  const back = front.clone()
  return {
    object: group(at(front, [-10, 0, 30], [0.5, 0, 0]), at(back, [118, 0, -34], [-0.4, Math.PI, 0])),
    views: [
      { azimuth: 28, elevation: 34, fill: 0.86 },
      { azimuth: -38, elevation: 28, detail: { at: [20, 0, 20], width: 105 } },
    ],
  }
}

/** Its axis along x, open at 0. */
function grip() {
  const clamp = cast(
    carve(
      0.6,
      pillar([0, 0, 0], [11, 0, 0], 16.4, 1.2),
      pillar([-1, 0, 0], [20, 0, 0], 11.2),
      (_x, y, z) => Math.max(Math.abs(y) - 0.9, -z),
      pillar([5.5, 4, 13], [5.5, 30, 13], 3.2),
    ),
    [
      [-1, -18, -18],
      [12, 18, 18],
    ],
    0.45,
    anodised,
  )
  return group(
    clamp,
    at(screw(3, 10), [5.5, 4, 13], [-Math.PI / 2, 0, 0]),
    skin(250, 230, (u, v) => onGrip(u * 2 * Math.PI, v), soft),
    at(
      lathe(
        [
          [14.3, 0],
          [14.3, 122],
          [11.2, 122],
          [11.2, 0],
          [14.3, 0],
        ],
        plastic,
      ),
      [10, 0, 0],
      [0, 0, -Math.PI / 2],
    ),
    at(
      lathe(
        [
          [14.4, -3],
          [14.4, -1],
          [9, -1],
          [8, 0],
          [0, 0.6],
        ],
        plastic,
      ),
      [length, 0, 0],
      [0, 0, -Math.PI / 2],
    ),
    at(
      lathe(
        [
          [14.6, -2.4],
          [15.9, -2.4],
          [16.4, -1.9],
          [16.4, -0.5],
          [15.9, 0],
          [14.2, 0],
          [13.8, -0.5],
        ],
        accent,
      ),
      [length, 0, 0],
      [0, 0, -Math.PI / 2],
    ),
  )
}

/** The rubber: smooth collars at both ends, small squares set on their points between, ribs where the thumb lies. */
function onGrip(turn: number, v: number) {
  const x = 11.4 + v * (length - 2.6 - 11.4)
  const inner = x - 11.4
  const outer = length - 2.6 - x
  const core = 14 + 1.6 * Math.exp(-((outer / 9) ** 2))
  const edge = Math.min(smoothstep(inner, 0, 1), smoothstep(outer, 0, 1))
  const pads = Math.min(smoothstep(inner, 5, 6.4), smoothstep(outer, 9, 10.4))
  const [a, b] = [(turn * 15) / 5 + x / 5, (turn * 15) / 5 - x / 5]
  const waffle = Math.min(hump(a), hump(b))
  const ribs = smoothstep(Math.sin((2 * Math.PI * x) / 4.2), -0.35, 0.3)
  const thumb = smoothstep(Math.cos(turn - 0.4), 0.55, 0.62)
  const collar = Math.max(1 - smoothstep(inner, 4, 5), 1 - smoothstep(outer, 8, 9)) * 0.9
  const height = Math.max(collar, pads * 1.5 * (thumb * ribs * 0.8 + (1 - thumb) * waffle))
  const radius = (core + height) * (0.9 + 0.1 * edge)
  return new Vector3(x, Math.cos(turn) * radius, Math.sin(turn) * radius)
}

/** Flat on top, with a narrow valley at every whole number. */
function hump(t: number) {
  const away = Math.abs(t - Math.round(t))
  return smoothstep(away, 0.12, 0.24)
}
