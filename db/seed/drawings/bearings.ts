import { type Drawing, hairline, type Point, paint, picture, placed, shape } from './drawing.ts'
import { lean, turned } from './fittings.ts'
import { oval } from './outlines.ts'

const { alloyTube, steelTube, darkTube, rubberTube, accentTube, steel, dark, alloy, rubber } = paint

/** External threaded cups, left and right, with the sleeve between them. */
export function bottomBracket({ bore }: { bore: number }): Drawing {
  return picture(
    turned(
      [196, 450],
      [
        { length: 74, radius: 176, paint: darkTube, face: dark, splines: 16 },
        { length: 18, radius: 184, endRadius: 164, paint: darkTube, face: dark },
        { length: 92, radius: 142, paint: alloyTube, face: alloy, rings: 11, bore: 116 },
      ],
    ),
    turned([442, 450], [{ length: 250, radius: 104, paint: rubberTube, face: rubber, bore: 88, rings: 2 }]),
    turned(
      [772, 450],
      [
        { length: 96, radius: 142, paint: alloyTube, face: alloy, rings: 11 },
        { length: 18, radius: 164, endRadius: 184, paint: darkTube, face: dark },
        { length: 78, radius: 178, paint: darkTube, face: dark, splines: 16 },
      ],
    ),
    bearingFace([964, 450], 150, bore),
  )
}

/** A cartridge bearing seen in the end of a turned part: outer race, seal, inner race, bore. */
function bearingFace(at: Point, radius: number, bore: number): string {
  const ring = (share: number) => oval(at, radius * share * lean, radius * share)
  return (
    shape(ring(1), steel) +
    shape(ring(0.86), paint.accent) +
    hairline(ring(0.78), '#5e2710', 1.5, 0.7) +
    shape(ring((bore + 10) / radius), alloy) +
    shape(ring(bore / radius), paint.shade)
  )
}

/** The whole headset in the order of assembly, from the crown race to the top cap. */
export function headset(): Drawing {
  const r = 168
  const exploded =
    turned(
      [0, 0],
      [{ length: 22, radius: r * 0.93, endRadius: r * 0.76, paint: steelTube, face: steel, bore: r * 0.7 }],
    ) +
    turned([80, 0], [{ length: 44, radius: r * 0.96, paint: alloyTube, face: steel, rings: 1 }]) +
    bearingFace([124, 0], r * 0.96, r * 0.68) +
    turned(
      [196, 0],
      [
        { length: 36, radius: r * 1.08, paint: darkTube, face: dark, rings: 1 },
        { length: 46, radius: r * 0.94, paint: darkTube, face: dark, bore: r * 0.84, rings: 3 },
      ],
    ) +
    turned(
      [384, 0],
      [
        { length: 46, radius: r * 0.84, paint: darkTube, face: dark, rings: 3 },
        { length: 36, radius: r * 0.98, paint: darkTube, face: dark, bore: r * 0.78 },
      ],
    ) +
    turned([530, 0], [{ length: 38, radius: r * 0.82, paint: alloyTube, face: steel, rings: 1 }]) +
    bearingFace([568, 0], r * 0.82, r * 0.58) +
    turned(
      [640, 0],
      [
        {
          length: 20,
          radius: r * 0.72,
          endRadius: r * 0.6,
          paint: accentTube,
          face: paint.accent,
          bore: r * 0.54,
        },
      ],
    ) +
    turned(
      [712, 0],
      [
        { length: 18, radius: r * 0.62, endRadius: r * 0.96, paint: darkTube },
        { length: 16, radius: r * 0.96, endRadius: r * 0.9, paint: darkTube, face: dark, bore: r * 0.56 },
      ],
    ) +
    turned(
      [806, 0],
      [
        { length: 22, radius: r * 0.66, endRadius: r * 0.6, paint: darkTube, face: dark },
        { length: 16, radius: 30, paint: steelTube, face: steel, bore: 16 },
      ],
    )
  return picture(placed(exploded, [226, 622], -24, 0.98))
}
