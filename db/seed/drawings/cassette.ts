import { around, centre, type Drawing, hairline, paint, picture, polar, shape, sheen, xy } from './drawing.ts'
import { disc, ngon, slot, sprocket } from './outlines.ts'

/** Cogs from the largest to the smallest, seen from the drive side, with the lockring. */
export function cassette({ cogs, radius = 325 }: { cogs: number[]; radius?: number }): Drawing {
  const falling = [...cogs].sort((a, b) => b - a)
  const perTooth = radius / (falling[0] ?? 1)
  return picture(
    ...falling.map((teeth, index) => cog(teeth, (falling[index + 1] ?? 0) * perTooth, perTooth, index)),
    sheen(radius * 0.95, 0, centre, 0.5),
    lockring((falling.at(-1) ?? 10) * perTooth),
  )
}

/** One cog over the larger ones; where its band is wide enough it is cut into windows. */
function cog(teeth: number, nextRadius: number, perTooth: number, index: number): string {
  const radius = teeth * perTooth
  const root = radius - perTooth * 1.6
  const room = root - nextRadius - perTooth * 2
  const windows =
    room > 12
      ? around(10, (degrees) =>
          slot(centre, root - room, root - 7, degrees + index * 9, degrees + 23 + index * 9),
        )
      : ''
  const path = sprocket(centre, teeth, radius) + windows
  const fill = index === 0 ? paint.dark : index % 2 ? paint.alloy : paint.steel
  return (
    `<defs><path id="cog${index}" d="${path}"/></defs><use href="#cog${index}" x="3" y="5" stroke="none"` +
    ` fill="#0c1014" fill-opacity="0.5"/><use href="#cog${index}" fill="${fill}" stroke-width="1.1"/>` +
    hairline(disc(centre, root - 2), index ? '#1f252c' : '#ffffff', 1, 0.3)
  )
}

function lockring(radius: number): string {
  return (
    shape(disc(centre, radius * 0.8), paint.dark) +
    around(24, (degrees) =>
      hairline(
        `M${xy(polar(radius * 0.68, degrees))}L${xy(polar(radius * 0.79, degrees))}`,
        '#c3cad2',
        2,
        0.5,
      ),
    ) +
    hairline(disc(centre, radius * 0.64), '#ee9a6b', 4, 1) +
    shape(ngon(centre, radius * 0.54, 24), paint.steel) +
    around(12, (degrees) =>
      shape(slot(centre, radius * 0.42, radius * 0.52, degrees - 6, degrees + 6), paint.shade),
    ) +
    shape(disc(centre, radius * 0.4), paint.shade)
  )
}
