import { around, type Drawing, hairline, type Point, paint, picture, polar, round, shape } from './drawing.ts'
import { disc, slab } from './outlines.ts'

/** An inner tube with its Presta valve. */
export function innerTube({ thickness }: { thickness: number }): Drawing {
  const from: Point = [600, 450]
  const outer = 335
  const shades: [number, string, number][] = [
    [1, '#1c1f23', 0],
    [0.84, '#2b3035', -1],
    [0.64, '#40474e', -3],
    [0.42, '#59626b', -5],
    [0.2, '#828c96', -6],
  ]
  const middle = outer - thickness / 2
  const valve = 450 + outer - thickness
  return picture(
    `<circle cx="600" cy="450" r="${middle}" fill="none" stroke-width="${thickness + 4}" stroke="#121416"/>`,
    ...shades.map(
      ([share, colour, shift]) =>
        `<circle cx="${600 + shift}" cy="${450 + shift}" r="${middle}" fill="none"` +
        ` stroke-width="${round(thickness * share)}" stroke="${colour}"/>`,
    ),
    hairline(disc(from, middle - thickness * 0.32), '#000000', 1.5, 0.5),
    around(60, (degrees) =>
      degrees > 20 && degrees < 120
        ? hairline(
            `M${polar(middle + 8, degrees)
              .map(round)
              .join(' ')}L${polar(middle + 17, degrees + 1.5)
              .map(round)
              .join(' ')}`,
            '#ee9a6b',
            2.5,
            0.9,
          )
        : '',
    ),
    shape(`M556 ${valve + 8}q44 -34 88 0l-10 16h-68z`, paint.rubber),
    shape(slab(588, valve - 190, 24, 186, 3), paint.alloyTube),
    Array.from({ length: 26 }, (_, index) =>
      hairline(`M588 ${valve - 182 + index * 6}l24 3`, '#39414a', 1.6, 0.7),
    ).join(''),
    shape(slab(574, valve - 34, 52, 18, 5), paint.steel),
    shape(slab(593, valve - 228, 14, 40, 3), paint.steel),
    shape(slab(589, valve - 246, 22, 22, 6), paint.accent),
  )
}
