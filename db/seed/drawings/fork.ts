import { type Drawing, hairline, type Point, paint, picture, placed, shape } from './drawing.ts'
import { bolt, tube } from './fittings.ts'
import { disc, link, outline, points, slab, smooth } from './outlines.ts'

const crown = -170
const legs = [-118, 118] as const

/** A suspension fork from the front, laid over: steerer, crown, stanchions, lowers with arch, axle. */
export function suspensionFork({ travel }: { travel: number }): Drawing {
  const lower = crown + 60 + travel
  const fork =
    tube([0, crown - 40], [0, -450], 84, paint.steelTube, 66) +
    shape(slab(-54, crown - 66, 108, 34, 8), paint.steel) +
    legs.map((x) => tube([x, lower + 60], [x, crown], 78, paint.alloyTube)).join('') +
    shape(
      outline(`
        -170 ${crown + 30}, -172 ${crown - 24}, -120 ${crown - 44}, -50 ${crown - 46}, 50 ${crown - 46},
        120 ${crown - 44}, 172 ${crown - 24}, 170 ${crown + 30}, 120 ${crown + 44}, 60 ${crown + 20},
        0 ${crown + 12}, -60 ${crown + 20}, -120 ${crown + 44}
      `),
      paint.dark,
    ) +
    hairline(
      `M-158 ${crown - 18}C-110 ${crown - 38} 110 ${crown - 38} 158 ${crown - 18}`,
      '#ffffff',
      4,
      0.35,
    ) +
    legs.map((x) => shape(slab(x - 36, crown - 66, 72, 32, 8), x < 0 ? paint.dark : paint.accent)).join('') +
    shape(slab(-140, lower - 60, 44, 12, 5), paint.rubber) +
    lowers(lower)
  return picture(placed(fork, [594, 426], 56, 0.95))
}

function lowers(top: number): string {
  const arch = outline(`
    -150 ${top + 90}, -140 ${top + 10}, -90 ${top - 42}, 0 ${top - 62}, 90 ${top - 42}, 140 ${top + 10},
    150 ${top + 90}, 96 ${top + 96}, 80 ${top + 42}, 44 ${top + 4}, 0 ${top - 4}, -44 ${top + 4},
    -80 ${top + 42}, -96 ${top + 96}
  `)
  const leg = (x: number) =>
    tube([x, 440], [x, top], 84, paint.darkTube, 106) +
    shape(slab(x - 58, top - 14, 116, 30, 8), paint.rubber) +
    shape(
      outline(`
        ${x - 42} 420, ${x + 42} 420, ${x + 40} 490, ${x + 20} 514, ${x - 20} 514, ${x - 40} 490
      `),
      paint.dark,
    ) +
    shape(slab(x - 8, top + 190, 16, 150, 8), paint.accent, 'stroke="none"') +
    shape(disc([x, 472], 21), paint.steel) +
    shape(disc([x, 472], 12), paint.shade)
  return (
    tube([-168, 472], [168, 472], 28, paint.steelTube) +
    legs.map(leg).join('') +
    shape(slab(154, 454, 42, 36, 8), paint.accent) +
    shape(arch, paint.dark) +
    hairline(`M-134 ${top + 20}C-100 ${top - 40} 100 ${top - 40} 134 ${top + 20}`, '#ffffff', 4, 0.35) +
    [250, 340]
      .map((y) => shape(link([-176, y], [-150, y], 16), paint.dark) + bolt([-178, y], 9, paint.steel))
      .join('')
  )
}

/** A rigid carbon fork, front view above and side view below. */
export function rigidFork({ rake }: { rake: number }): Drawing {
  return picture(placed(frontView(), [560, 300], 66, 0.92), placed(sideView(rake), [640, 610], 66, 0.92))
}

function frontView(): string {
  const half = points(`
    0 -196, 46 -192, 84 -160, 112 -90, 126 40, 124 260, 114 430, 112 470, 92 470, 88 430, 88 260, 84 40,
    66 -60, 34 -104, 0 -114
  `)
  const both = [
    ...half,
    ...half
      .slice(1, -1)
      .reverse()
      .map(([x, y]): Point => [-x, y]),
  ]
  return (
    tube([0, -180], [0, -440], 84, paint.darkTube, 62) +
    shape(smooth(both, true), paint.dark) +
    hairline(smooth(points('60 -170, 94 -90, 108 40, 108 260, 104 420')), '#ffffff', 4, 0.25) +
    hairline(smooth(points('-60 -170, -94 -90, -112 40, -112 260, -106 420')), '#ffffff', 4, 0.4) +
    shape(slab(-54, -212, 108, 24, 8), paint.steel) +
    [-1, 1]
      .map(
        (side) =>
          shape(slab(side * 104 - 14, 440, 28, 52, 6), paint.steel) +
          shape(link([side * 105, 60], [side * 106, 170], 7), paint.accent, 'stroke="none"'),
      )
      .join('')
  )
}

function sideView(rake: number): string {
  const x = -rake
  const blade = outline(`
    -46 -196, 46 -196, 52 -100, 50 40, 36 200, ${x * 0.5 + 24} 340, ${x + 22} 440, ${x + 24} 486,
    ${x - 6} 500, ${x - 26} 480, ${x - 14} 430, ${x * 0.5 - 20} 330, -32 200, -48 40, -52 -100
  `)
  return (
    tube([0, -190], [0, -440], 84, paint.darkTube, 62) +
    shape(blade, paint.dark) +
    hairline(
      smooth(points(`-34 -180, -40 -100, -36 40, -22 200, ${x * 0.5 - 10} 330, ${x - 6} 430`)),
      '#ffffff',
      5,
      0.4,
    ) +
    shape(slab(-54, -212, 108, 24, 8), paint.steel) +
    shape(disc([x, 472], 22), paint.alloy) +
    shape(disc([x, 472], 12), paint.shade) +
    [250, 350]
      .map(
        (y) =>
          shape(slab((x * y) / 640 + 14, y - 20, 34, 40, 6), paint.steel) +
          shape(disc([(x * y) / 640 + 32, y], 8), paint.shade),
      )
      .join('') +
    shape(disc([0, -60], 13), paint.steel) +
    shape(disc([0, -60], 6), paint.shade)
  )
}
