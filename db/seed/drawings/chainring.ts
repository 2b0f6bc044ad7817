import {
  around,
  centre,
  clipped,
  type Drawing,
  hairline,
  type Point,
  paint,
  picture,
  polar,
  shape,
  sheen,
} from './drawing.ts'
import { bolt, tube } from './fittings.ts'
import { disc, link, points, slot, smooth, sprocket, wavy } from './outlines.ts'

/** A single ring on four bolts, every other tooth wide. */
export function chainring({ teeth, radius = 318 }: { teeth: number; radius?: number }): Drawing {
  const inner = wavy(
    centre,
    (degrees) => radius * (0.75 - 0.24 * (0.5 + 0.5 * Math.cos(((degrees - 45) * Math.PI) / 45)) ** 2.2),
  )
  const windows = [0, 90, 180, 270]
    .map(
      (turn) =>
        slot(centre, radius * 0.8, radius * 0.86, turn - 30, turn - 5) +
        slot(centre, radius * 0.8, radius * 0.86, turn + 5, turn + 30),
    )
    .join('')
  const face = disc(centre, radius * 0.925) + inner + windows
  return picture(
    shape(sprocket(centre, teeth, radius) + inner + windows, paint.steel),
    wideTeeth(centre, teeth, radius),
    clipped('face', face, shape(face, paint.dark) + sheen(radius * 0.925, radius * 0.5)),
    hairline(disc(centre, radius * 0.9), '#ffffff', 1.5, 0.3),
    hairline(inner, '#ffffff', 2, 0.25),
    around(4, (degrees) => {
      const at = polar(radius * 0.585, degrees + 45)
      return shape(disc(at, radius * 0.078), paint.dark) + bolt(at, radius * 0.06, paint.accent)
    }),
  )
}

function wideTeeth(from: Point, teeth: number, radius: number): string {
  const half = 180 / teeth
  return around(teeth / 2, (degrees) =>
    shape(
      link(
        polar(radius * 0.945, degrees + half, from),
        polar(radius * 1.012, degrees + half, from),
        radius * half * 0.0068,
        radius * half * 0.0042,
      ),
      paint.alloy,
      'stroke-width="1"',
    ),
  )
}

/** Drive-side arm with a direct-mount ring, spindle cap and, beside it, the left arm. */
export function crankset({ teeth }: { teeth: number }): Drawing {
  const hub: Point = [405, 355]
  const radius = 232
  const windows = [0, 60, 120, 180, 240, 300].map((turn) => spiderWindow(hub, radius, turn)).join('')
  const face = disc(hub, radius * 0.9) + windows
  return picture(
    arm([330, 690], [790, 775], false),
    shape(sprocket(hub, teeth, radius) + windows, paint.steel),
    wideTeeth(hub, teeth, radius),
    shape(face, paint.dark),
    clipped('face', face, sheen(radius, 90, hub, 0.4)),
    hairline(disc(hub, radius * 0.87), '#ffffff', 1.5, 0.3),
    arm(hub, [1010, 467], true),
  )
}

function spiderWindow(hub: Point, radius: number, turn: number): string {
  const at = (share: number, degrees: number) => polar(radius * share, turn + degrees, hub)
  return smooth(
    [
      at(0.47, 0),
      at(0.56, -9),
      at(0.7, -17),
      at(0.755, -15),
      at(0.775, 0),
      at(0.755, 15),
      at(0.7, 17),
      at(0.56, 9),
    ],
    true,
  )
}

function arm(hub: Point, end: Point, driveSide: boolean): string {
  const along = ([x, y]: Point): Point => {
    const [dx, dy] = [end[0] - hub[0], end[1] - hub[1]]
    return [hub[0] + dx * x - (dy / Math.hypot(dx, dy)) * y, hub[1] + dy * x + (dx / Math.hypot(dx, dy)) * y]
  }
  const length = Math.hypot(end[0] - hub[0], end[1] - hub[1])
  const edge = points(`
    0 -74, 0.12 -60, 0.3 -45, 0.6 -38, 0.86 -40, 0.97 -42, ${1 + 26 / length} -30, ${1 + 40 / length} 0,
    ${1 + 26 / length} 30, 0.97 42, 0.86 40, 0.6 38, 0.3 45, 0.12 60, 0 74, ${-66 / length} 44,
    ${-78 / length} 0, ${-66 / length} -44
  `)
  const groove = link(along([0.22, 0]), along([0.84, 0]), 22, 15)
  return (
    shape(smooth(edge.map(along), true), paint.dark) +
    hairline(smooth(points('0.1 -52, 0.3 -37, 0.6 -30, 0.9 -32').map(along)), '#ffffff', 3, 0.4) +
    shape(groove, paint.shade, 'fill-opacity="0.55" stroke-opacity="0.5"') +
    tube(along([0.5, 0]), along([0.62, 0]), 10, paint.accentTube) +
    shape(disc(hub, 54), paint.steel) +
    hairline(disc(hub, 46), '#ffffff', 1.5, 0.5) +
    (driveSide
      ? shape(disc(hub, 38), paint.dark) +
        around(8, (degrees) => shape(disc(polar(27, degrees, hub), 5), paint.shade)) +
        bolt(hub, 17, paint.accent)
      : shape(disc(hub, 38), paint.alloy) +
        around(16, (degrees) =>
          hairline(
            `M${polar(30, degrees, hub).join(' ')}L${polar(38, degrees, hub).join(' ')}`,
            '#1f252c',
            4,
            0.7,
          ),
        ) +
        shape(disc(hub, 28), paint.shade)) +
    shape(disc(end, 25), paint.alloy) +
    shape(disc(end, 19), paint.shade) +
    hairline(disc(end, 15), '#9aa4af', 1.5, 0.8)
  )
}
