import { around, type Drawing, hairline, type Point, paint, picture, polar, shape, xy } from './drawing.ts'
import { bentTube, bolt } from './fittings.ts'
import { disc, link, ngon, outline, slab } from './outlines.ts'

/** A disc-brake caliper astride its rotor, from the outside: bores, bridge bolts, finned pads, hose. */
export function caliper({ pistons }: { pistons: 2 | 4 }): Drawing {
  const bores: Point[] =
    pistons === 4
      ? [
          [492, 445],
          [690, 445],
        ]
      : [[591, 445]]
  const body = outline(`
    322 440, 352 352, 420 316, 600 300, 770 316, 840 352, 874 440, 866 520, 830 566, 740 566, 600 548,
    452 566, 364 566, 330 520
  `)
  return picture(
    rotorSegment(),
    finnedPads(),
    bentTube('M836 336C910 300 960 250 1040 110', 24, 'rubber'),
    postMount(262),
    postMount(934),
    shape(body, paint.dark),
    hairline('M346 440C356 380 390 344 430 334L600 318L766 332C806 344 838 380 850 430', '#ffffff', 4, 0.35),
    ...bores.map((at) => bore(at, pistons === 4 ? 82 : 92)),
    bolt([591, 356], 17, paint.alloy),
    pistons === 4 ? bolt([591, 508], 19, paint.alloy) : '',
    bolt([386, 420], 19, paint.alloy),
    bolt([800, 480], 19, paint.alloy),
    banjo(),
    bleedPort(),
  )
}

function rotorSegment(): string {
  const from: Point = [596, 1190]
  const segment =
    `M${xy(polar(674, -40, from))}A674 674 0 0 1 ${xy(polar(674, 40, from))}` +
    `L${xy(polar(640, 39, from))}L${xy(polar(600, 40.4, from))}L${xy(polar(552, 39, from))}` +
    `A552 552 0 0 0 ${xy(polar(552, -39, from))}L${xy(polar(590, -40.4, from))}L${xy(polar(636, -39, from))}Z`
  const vents = Array.from({ length: 13 }, (_, index) => index * 5.6 - 33.6)
    .map(
      (degrees, index) =>
        link(polar(628, degrees, from), polar(604, degrees + 1.6, from), 9) +
        (index % 2 ? disc(polar(578, degrees + 2.6, from), 9) : disc(polar(652, degrees + 2, from), 8)),
    )
    .join('')
  return (
    shape(segment + vents, paint.alloy) +
    hairline(`M${xy(polar(668, -39, from))}A668 668 0 0 1 ${xy(polar(668, 39, from))}`, '#ffffff', 4, 0.8)
  )
}

function finnedPads(): string {
  const fin = (index: number) => {
    const height = 222 + Math.abs(index - 2.5) * 6
    return shape(
      `M${484 + index * 37} 300L${492 + index * 37} ${height}q3 -10 10 -10t10 10L${520 + index * 37} 300z`,
      paint.alloy,
    )
  }
  return [0, 1, 2, 3, 4, 5].map(fin).join('') + shape(slab(466, 276, 256, 46, 10), paint.steel)
}

function postMount(x: number): string {
  return (
    shape(slab(x - 58, 446, 116, 84, 20), paint.dark) +
    shape(slab(x - 15, 520, 30, 100, 3), paint.steel) +
    Array.from({ length: 11 }, (_, index) =>
      hairline(`M${x - 15} ${542 + index * 7}l30 4`, '#14181c', 1.6, 0.7),
    ).join('') +
    shape(slab(x - 34, 434, 68, 14, 4), paint.steel) +
    shape(slab(x - 25, 384, 50, 52, 8), paint.alloy) +
    Array.from({ length: 7 }, (_, index) =>
      hairline(`M${x - 18 + index * 6} 392v36`, '#14181c', 1.5, 0.4),
    ).join('')
  )
}

function bore(at: Point, radius: number): string {
  return (
    shape(disc(at, radius), paint.dark) +
    shape(disc(at, radius * 0.86), paint.accent) +
    hairline(disc(at, radius * 0.76), '#ffffff', 2, 0.35) +
    shape(disc(at, radius * 0.5), paint.dark) +
    shape(ngon(at, radius * 0.3, 6), paint.shade) +
    around(6, (degrees) => shape(disc(polar(radius * 0.67, degrees, at), 6), paint.shade, 'stroke="none"'))
  )
}

function banjo(): string {
  return (
    shape(link([806, 352], [856, 326], 36, 20), paint.steel) +
    shape(disc([806, 352], 30), paint.alloy) +
    shape(ngon([806, 352], 22, 6), paint.steel) +
    shape(disc([806, 352], 9), paint.shade)
  )
}

function bleedPort(): string {
  return (
    shape(slab(376, 276, 44, 48, 6), paint.steel) +
    shape(slab(384, 240, 28, 40, 5), paint.alloy) +
    shape(slab(378, 206, 40, 40, 12), paint.rubber)
  )
}
