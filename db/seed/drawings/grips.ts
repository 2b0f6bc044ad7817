import { type Drawing, hairline, paint, picture, placed, shape, xy } from './drawing.ts'
import { bolt, turned } from './fittings.ts'
import { slab } from './outlines.ts'

/** A pair of lock-on grips with their clamp collars. */
export function grips(): Drawing {
  const grip =
    turned(
      [0, 0],
      [
        { length: 26, radius: 86, paint: paint.accentTube, face: paint.accent },
        { length: 26, radius: 96, paint: paint.rubberTube, face: paint.rubber },
        { length: 560, radius: 78, paint: paint.rubberTube, face: paint.rubber },
        { length: 20, radius: 84, paint: paint.rubberTube, face: paint.rubber },
        { length: 48, radius: 82, paint: paint.accentTube, face: paint.dark, bore: 52 },
      ],
    ) +
    waffle(90, 590) +
    bolt([652, 6], 14, paint.steel)
  return picture(placed(grip, [230, 400], -14), placed(grip, [256, 676], -14))
}

/** Rows of raised rectangles that flatten towards the upper and lower edge, as on a round grip. */
function waffle(from: number, to: number): string {
  const rows = [-58, -34, -10, 14, 38, 60]
  const blocks = rows.flatMap((degrees, row) => {
    const angle = (degrees * Math.PI) / 180
    const tall = 24 * Math.cos(angle)
    const shift = (row % 2) * 18 - 18 * Math.cos(angle)
    const count = Math.floor((to - from - 30) / 36)
    return Array.from({ length: count }, (_, index) =>
      slab(from + shift + index * 36, 78 * Math.sin(angle) - tall / 2, 28, tall, 5),
    )
  })
  return (
    shape(blocks.join(''), paint.darkTube, 'stroke-width="1.2"') +
    hairline(`M${xy([from, -71])}H${to - 20}`, '#ffffff', 1.5, 0.2)
  )
}
