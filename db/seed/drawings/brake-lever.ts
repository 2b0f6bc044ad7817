import { type Drawing, hairline, paint, picture, placed, shape } from './drawing.ts'
import { bentTube, bolt, tube } from './fittings.ts'
import { disc, outline, points, slab } from './outlines.ts'

/** A hydraulic lever on a piece of handlebar, seen from above. */
export function brakeLever(): Drawing {
  const blade = outline(`
    736 452, 700 424, 640 446, 540 502, 420 540, 310 548, 230 524, 180 494, 150 500, 148 536, 190 580,
    270 612, 400 612, 530 580, 640 530, 716 510
  `)
  const body = outline(`
    612 420, 628 368, 690 352, 800 344, 930 338, 976 352, 992 386, 976 420, 930 434, 850 440, 800 470,
    740 500, 670 500, 626 474
  `)
  const lever = [
    tube([130, 250], [1070, 250], 96, paint.alloyTube),
    bentTube('M970 386C1030 386 1060 430 1070 560', 24, 'rubber'),
    shape(slab(696, 186, 116, 190, 26), paint.dark),
    hairline('M706 204q6 -10 20 -10h60', '#ffffff', 3, 0.5),
    hairline('M696 250h116', '#0c0e10', 2.5, 0.8),
    bolt([724, 218], 14, paint.alloy),
    bolt([786, 218], 14, paint.alloy),
    shape(body, paint.dark),
    hairline('M640 386C670 364 740 362 930 350', '#ffffff', 5, 0.32),
    shape(slab(816, 364, 132, 52, 12), paint.rubber),
    bolt([836, 390], 11, paint.steel),
    bolt([928, 390], 11, paint.steel),
    shape(slab(972, 366, 44, 42, 6), paint.steel),
    hairline('M984 368v38M996 368v38M1006 368v38', '#14181c', 2, 0.5),
    shape(
      blade +
        points('606 516, 540 544, 474 564')
          .map((at, index) => disc(at, 15 - 2 * index))
          .join(''),
      paint.alloy,
    ),
    hairline('M170 510C260 576 400 576 520 528C590 498 640 470 690 450', '#ffffff', 5, 0.7),
    shape(slab(582, 424, 62, 42, 8), paint.accent, 'transform="rotate(-26 613 445)"'),
    hairline('M596 432l14 30M608 426l14 30M620 420l14 30', '#5e2710', 2.5, 0.6),
    shape(disc([690, 462], 30), paint.steel),
    bolt([690, 462], 20, paint.dark),
  ]
  return picture(placed(lever.join(''), [0, 56]))
}
