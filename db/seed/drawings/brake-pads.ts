import { type Drawing, hairline, paint, picture, placed, polar, shape } from './drawing.ts'
import { bentTube, bolt } from './fittings.ts'
import { disc, outline, slab } from './outlines.ts'

/** A pair of pads, friction face and back plate, with their spring and pin. */
export function brakePads(): Drawing {
  const plate =
    outline(`
      -150 -60, -128 -96, -60 -118, -44 -190, 0 -212, 44 -190, 60 -118, 128 -96, 150 -60, 156 60,
      132 150, 60 182, -60 182, -132 150, -156 60
    `) + disc([0, -168], 19)
  const compound = outline(`
    -126 -40, -104 -72, 0 -84, 104 -72, 126 -40, 132 60, 110 130, 50 156, -50 156, -110 130, -132 60
  `)
  const grain = Array.from({ length: 80 }, (_, index) =>
    polar(7 + 118 * Math.sqrt(index / 80), index * 137.5, [0, 36]),
  )
    .map((at, index) => disc(at, 1.4 + (index % 3) * 0.8))
    .join('')
  const face =
    shape(plate, paint.steel) +
    shape(compound, paint.rubber, 'transform="translate(4 6)"') +
    shape(compound, paint.dark) +
    shape(grain, paint.accent, 'stroke="none" fill-opacity="0.75"') +
    shape('M-10 -80h20v232h-20z', paint.shade)
  const ribs = [-84, -42, 0, 42, 84].map((x) =>
    slab(x - 12, -46 + Math.abs(x) * 0.16, 24, 182 - Math.abs(x) * 0.5, 12),
  )
  const back =
    shape(plate, paint.alloy) +
    hairline(plate, '#ffffff', 4, 0.5) +
    shape(ribs.join(''), paint.steel) +
    shape(slab(-70, -104, 140, 16, 8), paint.accent)
  return picture(
    placed(face, [372, 400], -9, 1.22),
    placed(back, [828, 400], 9, 1.22),
    bentTube(
      'M440 720C490 610 556 600 566 690C572 760 628 760 634 690C644 600 710 610 760 720',
      12,
      'steel',
      'round',
    ),
    shape(slab(452, 776, 270, 22, 4), paint.alloyTube),
    hairline('M462 776v22M472 776v22M482 776v22M492 776v22', '#14181c', 2, 0.5),
    bolt([732, 787], 28, paint.accent),
  )
}
