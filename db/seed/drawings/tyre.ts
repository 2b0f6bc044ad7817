import {
  around,
  type Drawing,
  hairline,
  type Point,
  paint,
  picture,
  polar,
  round,
  shape,
  sheen,
} from './drawing.ts'
import { disc, polygon, slab, slot } from './outlines.ts'

/** Blocks of one pitch of tread: `at` from the middle (-1 to 1), width and length in tyre widths. */
export interface Tread {
  width: number
  wall: number
  pitches: number
  knob: number
  blocks: { at: number; width: number; length: number; shift: number }[]
  tan: boolean
}

export const trailTread: Tread = {
  width: 156,
  wall: 88,
  pitches: 40,
  knob: 15,
  tan: false,
  blocks: [
    { at: -0.82, width: 0.2, length: 0.2, shift: 0 },
    { at: -0.28, width: 0.2, length: 0.17, shift: 0.5 },
    { at: 0.28, width: 0.2, length: 0.17, shift: 0.5 },
    { at: 0.82, width: 0.2, length: 0.2, shift: 0 },
  ],
}

export const gravelTread: Tread = {
  width: 124,
  wall: 66,
  pitches: 68,
  knob: 7,
  tan: true,
  blocks: [
    { at: -0.8, width: 0.12, length: 0.15, shift: 0 },
    { at: -0.5, width: 0.14, length: 0.15, shift: 0.5 },
    { at: 0, width: 0.3, length: 0.16, shift: 0 },
    { at: 0.5, width: 0.14, length: 0.15, shift: 0.5 },
    { at: 0.8, width: 0.12, length: 0.15, shift: 0 },
  ],
}

const radius = 322
const side: Point = [500, 450]

/** Side and front view of a tyre. */
export function tyre(tread: Tread): Drawing {
  return picture(sideView(tread), frontView(tread, 945))
}

function sideView({ wall, pitches, knob, tan }: Tread): string {
  const bead = radius - wall
  const knobs = around(pitches, (degrees) => {
    const half = (360 / pitches) * 0.3
    const corner = (r: number, turn: number) => polar(r, degrees + turn, side)
    return polygon([
      corner(radius - 22, -half * 1.15),
      corner(radius + knob, -half),
      corner(radius + knob, half),
      corner(radius - 22, half * 1.15),
    ])
  })
  const skin = disc(side, radius) + disc(side, bead)
  const wallBand = disc(side, radius - wall * 0.3) + disc(side, bead + 6)
  return (
    shape(knobs, paint.rubber, 'stroke-width="1.4"') +
    shape(skin, paint.rubber) +
    shape(wallBand, tan ? paint.tan : paint.dark, 'stroke-opacity="0.5"') +
    sheen(radius - 2, bead + 2, side, 0.2) +
    hairline(disc(side, bead + 13), '#ffffff', 1.5, 0.25) +
    hairline(disc(side, radius - wall * 0.26), '#ffffff', 1.5, 0.14) +
    (tan
      ? ''
      : [50, 230]
          .map((degrees) =>
            shape(
              slot(side, bead + wall * 0.28, bead + wall * 0.5, degrees, degrees + 30),
              paint.accent,
              'stroke="none"',
            ),
          )
          .join(''))
  )
}

/** The tread as it runs round: rows shorten towards top and bottom. */
function frontView({ width, pitches, knob, blocks, tan }: Tread, x: number): string {
  const top = 450 - radius
  const body = slab(x - width / 2, top, width, radius * 2, width * 0.52)
  const knobs = Array.from({ length: pitches }, (_, index) => (360 * index) / pitches - 90)
    .flatMap((degrees) =>
      blocks.map(({ at, width: wide, length, shift }) => {
        const turn = ((degrees + (shift * 360) / pitches) * Math.PI) / 180
        const squeeze = Math.cos(turn)
        return {
          x: x + (at * width) / 2,
          y: 450 + (radius + knob) * Math.sin(turn),
          w: width * wide,
          h: width * length * squeeze,
          squeeze,
        }
      }),
    )
    .filter(({ squeeze }) => squeeze > 0.2)
  return (
    shape(body, tan ? paint.tan : paint.rubber) +
    shape(slab(x - width * 0.43, top - knob, width * 0.86, (radius + knob) * 2, width * 0.4), paint.rubber) +
    shape(
      knobs.map(({ x, y, w, h }) => slab(x - w / 2, y - h / 2, w, h, Math.min(5, h / 4))).join(''),
      paint.darkTube,
      'stroke-width="1.3"',
    ) +
    hairline(
      knobs
        .map(({ x, y, w, h }) => `M${round(x - w / 2 + 4)} ${round(y - h / 2 + 3)}h${round(w - 8)}`)
        .join(''),
      '#ffffff',
      1.5,
      0.4,
    )
  )
}
