import { type Drawing, hairline, paint, picture, shape } from './drawing.ts'
import { bolt, tube } from './fittings.ts'
import { link, points, slab, smooth } from './outlines.ts'

/** A threadless stem from the side: steerer clamp, body, handlebar clamp with its faceplate. */
export function stem({ rise }: { rise: number }): Drawing {
  const y = 450 - rise
  const [x, outer, bore] = [838, 150, 116]
  const body =
    smooth(
      points(`
        420 330, 500 336, 620 ${y - 74}, 730 ${y - 98}, 790 ${y - 138}, ${x} ${y - outer}
      `),
    ) +
    `V${y - bore}A${bore} ${bore} 0 0 0 ${x} ${y + bore}V${y + outer}` +
    smooth(
      points(`
        ${x} ${y + outer}, 790 ${y + 138}, 730 ${y + 98}, 620 ${y + 92}, 500 584, 420 598
      `),
    ).replace(/^M[^C]+/, '') +
    'Z'
  const faceplate =
    `M${x + 12} ${y - outer}A${outer} ${outer} 0 0 1 ${x + 12} ${y + outer}V${y + bore}` +
    `A${bore} ${bore} 0 0 0 ${x + 12} ${y - bore}Z`
  const screw = (at: number) =>
    shape(slab(x - 52, at - 13, 110, 26, 6), paint.steel) +
    shape(slab(x + 52, at - 21, 30, 42, 7), paint.accent)
  return picture(
    screw(y - outer + 2),
    screw(y + outer - 2),
    shape(body, paint.dark),
    shape(faceplate, paint.dark),
    hairline(`M450 342C560 340 640 ${y - 72} 740 ${y - 92}`, '#ffffff', 6, 0.3),
    hairline(
      `M${x + 26} ${y - outer + 8}A${outer - 8} ${outer - 8} 0 0 1 ${x + 140} ${y + 20}`,
      '#ffffff',
      5,
      0.25,
    ),
    shape(link([540, 462], [690, y + 6], 34, 28), paint.shade, 'fill-opacity="0.45" stroke-opacity="0.4"'),
    tube([340, 610], [340, 300], 250, paint.darkTube),
    shape(slab(211, 292, 258, 22, 8), paint.steel),
    shape(slab(211, 596, 258, 22, 8), paint.steel),
    hairline('M222 316V594', '#000000', 6, 0.7),
    ...[385, 525].map(
      (height) =>
        shape(slab(166, height - 40, 76, 80, 16), paint.dark) + bolt([206, height], 27, paint.accent),
    ),
  )
}
