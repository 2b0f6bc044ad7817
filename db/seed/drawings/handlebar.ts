import { type Drawing, hairline, type Point, paint, picture, round, shape } from './drawing.ts'
import { bentTube } from './fittings.ts'
import { disc, points, polygon, smooth } from './outlines.ts'

/** A riser bar from the front and, below, from above with its backsweep. */
export function riserBar({ rise, sweep }: { rise: number; sweep: number }): Drawing {
  const view = (y: number, bend: number, kink: number) => {
    const half = (sign: 1 | -1): Point[] =>
      points(`
        0 0, 90 0, 150 ${-bend * 0.1}, 250 ${-bend * 0.86}, 310 ${-bend}, 480 ${-bend - kink}
      `).map(([dx, dy]): Point => [600 + sign * dx, y + dy])
    const path = smooth([...half(-1).reverse(), ...half(1).slice(1)])
    const centrePart = `M486 ${y}H714`
    return (
      bentTube(path, 42, 'dark') +
      bentTube(centrePart, 58, 'dark') +
      [-1, 1]
        .map((sign) =>
          shape(
            polygon(
              points(`
                ${600 + sign * 114} ${y - 31}, ${600 + sign * 146} ${y - 23},
                ${600 + sign * 146} ${y + 23}, ${600 + sign * 114} ${y + 31}
              `),
            ),
            paint.darkTube,
          ),
        )
        .join('') +
      Array.from({ length: 9 }, (_, index) =>
        hairline(`M${564 + index * 9} ${y - 22}v44`, '#c3cad2', 1.5, 0.45),
      ).join('') +
      [-1, 1].map((sign) => hairline(`M${600 + sign * 104} ${y - 27}v54`, '#ee9a6b', 5, 1)).join('')
    )
  }
  return picture(view(370, rise, 12), view(690, -sweep * 0.3, -sweep))
}

/** A flared drop bar, seen from the front and above. */
export function dropBar({ flare }: { flare: number }): Drawing {
  const right: Point[] = []
  const add = (x: number, y: number, z: number) => right.push(project(x, y, z))
  add(0, 0, 0)
  add(90, 0, 0)
  add(205, 0, -4)
  add(262, 2, 14)
  add(283, 4, 66)
  add(288, 6, 120)
  add(294, 40, 170)
  add(302, 100, 184)
  add(310 + flare, 168, 150)
  add(316 + flare * 1.6, 206, 84)
  add(320 + flare * 2, 216, 20)
  add(324 + flare * 2.4, 220, -70)
  const left = [...right].map(([x, y]): Point => [1200 - x, y])
  const end = right.at(-1) ?? [0, 0]
  const path = smooth([...[...left].reverse(), ...right.slice(1)])
  return picture(
    bentTube(path, 44, 'dark', 'round'),
    bentTube(`M500 ${right[0]?.[1]}H700`, 56, 'dark'),
    ...[-1, 1].map((sign) =>
      hairline(`M${600 + sign * 92} ${round((right[0]?.[1] ?? 0) - 26)}v52`, '#ee9a6b', 5, 1),
    ),
    ...[end, left.at(-1) ?? end].map(
      (at) => shape(disc(at, 22), paint.rubber) + shape(disc(at, 9), paint.accent),
    ),
  )
}

function project(x: number, y: number, z: number): Point {
  return [600 + x * 1.36 + z * 0.12, 250 + y * 1.5 + z * 1.1]
}
