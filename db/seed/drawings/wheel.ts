import { around, centre, type Drawing, hairline, paint, picture, polar, shape, sheen, xy } from './drawing.ts'
import { bolt } from './fittings.ts'
import { disc, link, slab, slot } from './outlines.ts'

/** A built wheel without its tyre: deep rim, two-cross lacing, disc hub, valve hole at the foot. */
export function wheel({ spokes, depth }: { spokes: number; depth: number }): Drawing {
  const outer = 342
  const inner = outer - depth
  const rim = disc(centre, outer) + disc(centre, inner)
  return picture(
    lacing(spokes, 58, inner, '#7d8791', 3.4),
    lacing(spokes, 50, inner, '#39414a', 3.6, 360 / spokes),
    shape(rim, paint.dark),
    sheen(outer - 1, inner + 1) + decals(inner, outer),
    hairline(disc(centre, outer - 9), '#ffffff', 2, 0.35),
    hairline(disc(centre, inner + 6), '#ffffff', 1.5, 0.2),
    hub(),
    shape(slab(594, 450 + inner - 34, 12, 36, 3), paint.steel),
    shape(slab(596, 450 + inner - 48, 8, 15, 3), paint.alloy),
  )
}

/** Pairs of leading and trailing spokes: from the flange to nipples four holes further on. */
function lacing(
  spokes: number,
  flange: number,
  rim: number,
  colour: string,
  width: number,
  turn = 0,
): string {
  const step = 720 / spokes
  return around(spokes / 2, (degrees, index) => {
    const lead = index % 2 ? 1 : -1
    const hole = polar(flange, turn + degrees + lead * step * 2.6)
    const seat = polar(rim + 1, turn + degrees + step / 4)
    const foot = polar(rim - 16, turn + degrees + step / 4)
    return (
      `<path d="M${xy(hole)}L${xy(seat)}" stroke="${colour}" stroke-width="${width}"/>` +
      `<path d="M${xy(foot)}L${xy(seat)}" stroke="#c3cad2" stroke-width="6"/>`
    )
  })
}

function decals(inner: number, outer: number): string {
  const [a, b] = [inner + (outer - inner) * 0.36, inner + (outer - inner) * 0.64]
  return [35, 155, 275]
    .map(
      (degrees) =>
        shape(slot(centre, a, b, degrees, degrees + 26), paint.accent, 'stroke="none"') +
        shape(slot(centre, a, b, degrees + 30, degrees + 36), paint.accent, 'stroke="none"'),
    )
    .join('')
}

function hub(): string {
  return (
    shape(disc(centre, 66), paint.dark) +
    around(14, (degrees) =>
      shape(disc(polar(57, degrees), 4.5), paint.shade, 'stroke="#98a2ad" stroke-width="1.5"'),
    ) +
    shape(disc(centre, 46), paint.alloy) +
    around(6, (degrees) => bolt(polar(35, degrees), 6, paint.steel)) +
    shape(disc(centre, 24), paint.steel) +
    hairline(disc(centre, 19), '#ffffff', 2, 0.5) +
    shape(disc(centre, 13), paint.shade)
  )
}

/** Butted spokes with elbow and thread, and the brass nipples that go with them. */
export function spokeSet({ count }: { count: number }): Drawing {
  const gap = 74
  const first = 400 - ((count - 1) * gap) / 2
  const spokes = Array.from({ length: count }, (_, index) =>
    spoke(150 + (index % 2) * 26, first + index * gap),
  )
  const nipples = Array.from({ length: count }, (_, index) =>
    nipple(300 + index * 104, first + count * gap + 22),
  )
  return picture(`<g transform="rotate(-8 600 450)">${spokes.join('')}${nipples.join('')}</g>`)
}

function spoke(x: number, y: number): string {
  const end = x + 860
  const threads = Array.from({ length: 15 }, (_, index) =>
    hairline(`M${end - 74 + index * 5} ${y - 8}l3 16`, '#14181c', 1.8, 0.7),
  ).join('')
  return (
    shape(
      `M${x - 10} ${y - 38}h20v20q0 10 10 10h130l50 3h${520}l50 -3h88v16h-88l-50 -3h${-520}l-50 3h-134` +
        'q-26 0 -26 -26z',
      paint.alloyTube,
    ) +
    shape(slab(x - 18, y - 50, 36, 13, 6), paint.steel) +
    threads
  )
}

function nipple(x: number, y: number): string {
  return (
    shape(slab(x, y - 16, 18, 32, 8), paint.accentTube) +
    shape(slab(x + 16, y - 11, 50, 22, 2), paint.accentTube) +
    hairline(`M${x + 22} ${y - 4}h40M${x + 22} ${y + 4}h40`, '#5e2710', 1.5, 0.7) +
    shape(link([x + 66, y], [x + 66.1, y], 6), paint.shade)
  )
}
