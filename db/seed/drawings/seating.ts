import { type Drawing, hairline, type Point, paint, picture, placed, shape } from './drawing.ts'
import { bentTube, tube } from './fittings.ts'
import { disc, link, outline, points, slab, smooth } from './outlines.ts'

const half: Point[] = points(`
  212 0, 206 60, 216 130, 256 168, 330 172, 430 134, 530 86, 640 60, 780 47, 900 42, 962 32, 990 0
`)

/** A saddle from above and from the side, with relief channel and rails. */
export function saddle(): Drawing {
  const y = 290
  const mirror = (points: Point[], sign: 1 | -1) => points.map(([x, up]): Point => [x, y + sign * up])
  const cover = smooth([...mirror(half, -1), ...mirror(half.slice(1, -1), 1).reverse()], true)
  const channel = outline(`
    330 ${y - 16}, 430 ${y - 23}, 560 ${y - 22}, 680 ${y - 12}, 730 ${y}, 680 ${y + 12}, 560 ${y + 22},
    430 ${y + 23}, 330 ${y + 16}, 310 ${y}
  `)
  const seam = (sign: 1 | -1) =>
    hairline(
      smooth(mirror(points('240 128, 300 128, 420 98, 540 58, 680 40, 900 26'), sign)),
      '#ee9a6b',
      3,
      0.85,
    )
  return picture(
    shape(cover, paint.rubber),
    hairline(
      smooth(mirror(points('236 96, 256 148, 330 156, 430 118, 530 72, 640 48, 900 31, 962 18'), -1)),
      '#ffffff',
      5,
      0.22,
    ),
    seam(1),
    seam(-1),
    shape(channel, paint.shade),
    hairline(channel, '#767f88', 1.5, 0.6),
    sideView(),
  )
}

function sideView(): string {
  const shell = outline(`
    208 556, 232 536, 300 540, 430 562, 600 572, 760 568, 900 572, 968 584, 992 612, 976 634, 930 630,
    800 618, 640 626, 520 664, 400 690, 300 686, 236 650, 210 604
  `)
  const base = outline(`
    240 660, 300 690, 400 694, 520 668, 640 630, 800 622, 940 634, 900 644, 800 638, 650 648, 530 690,
    400 714, 290 706
  `)
  const rail = 'M290 690C320 760 380 784 440 786L690 782C780 778 860 700 930 640'
  return (
    bentTube(rail, 17, 'alloy', 'round') +
    hairline('M470 776v20M500 776v20M530 776v20M560 776v20M590 775v20M620 775v20', '#39414a', 2, 0.8) +
    shape(base, paint.dark) +
    shape(shell, paint.rubber) +
    hairline('M238 552C300 548 420 572 600 582S860 578 950 594', '#ffffff', 5, 0.25) +
    hairline('M226 610C330 650 460 624 600 604S860 598 960 612', '#ee9a6b', 3, 0.85)
  )
}

/** A two-bolt seatpost, lying: tube with insertion marks, head with saddle clamps. */
export function seatpost({ setback }: { setback: number }): Drawing {
  const post =
    tube([0, 0], [700, 0], 84, paint.darkTube) +
    Array.from({ length: 16 }, (_, index) =>
      hairline(`M${70 + index * 20} 30v${index % 4 ? 8 : 14}`, '#dfe4e9', 2, 0.8),
    ).join('') +
    hairline('M410 -34V38', '#ee9a6b', 5, 1) +
    Array.from({ length: 6 }, (_, index) => hairline(`M${420 + index * 9} -34v70`, '#ee9a6b', 1.5, 0.8)).join(
      '',
    ) +
    shape(
      outline(`
        690 -42, 740 -52, 800 ${-70 - setback}, 846 ${-104 - setback}, 880 ${-100 - setback}, 890 0,
        880 ${92 - setback}, 846 ${96 - setback}, 800 64, 740 50, 690 42
      `),
      paint.dark,
    ) +
    hairline(`M700 -30C760 -40 800 -56 850 ${-92 - setback}`, '#ffffff', 5, 0.35) +
    head(setback)
  return picture(placed(post, [204, 716], -33))
}

function head(setback: number): string {
  const bolts = [-86 - setback, 78 - setback].map(
    (y) =>
      shape(slab(800, y - 10, 210, 20, 4), paint.steel) +
      Array.from({ length: 10 }, (_, index) =>
        hairline(`M${938 + index * 7} ${y - 10}l3 20`, '#14181c', 1.6, 0.7),
      ).join('') +
      shape(slab(782, y - 22, 36, 44, 7), paint.accent),
  )
  return (
    bolts.join('') +
    shape(slab(872, -132 - setback, 44, 256, 18), paint.alloy) +
    shape(slab(930, -120 - setback, 38, 232, 16), paint.alloy) +
    shape(link([923, -70 - setback], [923, 62 - setback], 17), paint.shade) +
    shape(disc([923, -4 - setback], 15), paint.steel) +
    hairline(`M884 ${-110 - setback}V${100 - setback}`, '#ffffff', 4, 0.7)
  )
}
