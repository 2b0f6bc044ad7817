import {
  around,
  type Drawing,
  hairline,
  type Point,
  paint,
  picture,
  placed,
  polar,
  shape,
} from './drawing.ts'
import { bolt, tube } from './fittings.ts'
import { disc, link, ngon, outline, points, slab } from './outlines.ts'

const bodyOutline = outline(`
  250 240, 300 190, 500 172, 700 190, 752 240, 768 450, 752 660, 700 710, 500 728, 300 710, 250 660,
  234 450
`)

/** A concave platform pedal from above: cage, windows, traction pins, axle. */
export function flatPedal(): Drawing {
  const windows = [
    outline('330 250, 420 236, 472 250, 478 320, 460 376, 400 384, 330 376, 318 310'),
    outline('672 250, 582 236, 530 250, 524 320, 542 376, 602 384, 672 376, 684 310'),
    outline('330 650, 420 664, 472 650, 478 580, 460 524, 400 516, 330 524, 318 590'),
    outline('672 650, 582 664, 530 650, 524 580, 542 524, 602 516, 672 524, 684 590'),
  ].join('')
  const pins: Point[] = points(`
    276 236, 360 206, 500 196, 640 206, 726 236, 276 664, 360 694, 500 704, 640 694, 726 664, 500 310,
    500 590
  `)
  return picture(
    axle(740),
    shape(bodyOutline + windows, paint.dark),
    hairline(bodyOutline, '#ffffff', 3, 0.18),
    hairline('M262 250C300 204 400 190 500 184S700 204 740 246', '#ffffff', 4, 0.3),
    shape(slab(214, 396, 560, 108, 40), paint.dark),
    hairline('M240 412H740', '#ffffff', 5, 0.32),
    shape(slab(252, 424, 70, 52, 12), paint.accent),
    bolt([287, 450], 19, paint.steel),
    shape(slab(726, 386, 54, 128, 14), paint.steel),
    hairline('M742 390v120M760 390v120', '#14181c', 2, 0.4),
    ...pins.map((at) => shape(disc(at, 15), paint.steel) + shape(ngon(at, 8, 6), paint.shade)),
  )
}

/** The axle as it leaves the body to the right: hexagon flats, shoulder, thread. */
function axle(x: number): string {
  return (
    tube([x, 450], [x + 76, 450], 74, paint.steelTube) +
    tube([x + 76, 450], [x + 122, 450], 104, paint.alloyTube) +
    hairline(`M${x + 76} 424h46M${x + 76} 476h46`, '#39414a', 2, 0.6) +
    tube([x + 122, 450], [x + 140, 450], 122, paint.steelTube) +
    tube([x + 140, 450], [x + 248, 450], 76, paint.alloyTube, 72) +
    Array.from({ length: 12 }, (_, index) =>
      hairline(`M${x + 152 + index * 8} 413l5 74`, '#14181c', 2.2, 0.65),
    ).join('')
  )
}

/** A trail clipless pedal from above: open cage around a sprung two-bolt-cleat binding. */
export function cliplessPedal(): Drawing {
  const opening = outline(`
    320 262, 500 244, 680 262, 700 330, 704 450, 700 570, 680 638, 500 656, 320 638, 302 570, 298 450,
    302 330
  `)
  return picture(
    axle(740),
    shape(bodyOutline + opening, paint.dark),
    hairline('M262 250C300 204 400 190 500 184S700 204 740 246', '#ffffff', 4, 0.35),
    around(4, (degrees) => {
      const at = polar(1, degrees + 45, [0, 0])
      return bolt([500 + Math.sign(at[0]) * 214, 450 + Math.sign(at[1]) * 222], 15, paint.steel)
    }),
    shape(slab(210, 392, 560, 116, 40), paint.dark),
    hairline('M236 408H740', '#ffffff', 5, 0.3),
    shape(slab(388, 216, 224, 470, 46), paint.steel),
    shape(slab(416, 336, 168, 156, 20), paint.dark),
    spring(410, 532),
    spring(530, 532),
    claw(1),
    placed(claw(1), [1000, 900], 180),
    shape(disc([500, 414], 46), paint.alloy),
    hairline(disc([500, 414], 36), '#1f252c', 2, 0.3),
    shape(slab(482, 640, 36, 62, 8), paint.accent),
    shape(ngon([500, 671], 11, 6), paint.shade),
    shape(slab(726, 386, 54, 128, 14), paint.steel),
    shape(link([262, 450], [300, 450], 26), paint.accent),
  )
}

function claw(scale: number): string {
  return placed(
    shape(
      outline(`
        -118 -60, -60 -92, 60 -92, 118 -60, 112 10, 70 34, 44 12, 0 2, -44 12, -70 34, -112 10
      `),
      paint.alloy,
    ) +
      hairline('M-100 -52C-50 -80 50 -80 100 -52', '#ffffff', 5, 0.8) +
      shape(link([-50, -40], [50, -40], 14), paint.shade),
    [500, 292],
    0,
    scale,
  )
}

function spring(x: number, y: number): string {
  return Array.from({ length: 5 }, (_, index) =>
    shape(slab(x, y - 34 + index * 15, 60, 13, 6), paint.alloyTube),
  ).join('')
}
