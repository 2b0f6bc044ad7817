import { type Material, Shape } from 'three'
import { at, group, type Point2 } from './pieces.ts'
import { plate } from './plate.ts'

/** Letters as strokes on a grid of 4 by 6, each point two digits: no font of the system is asked. */
const letters: Record<string, string> = {
  A: '00 05 16 36 45 40|02 42',
  B: '00 06 36 45 44 33 03|33 42 41 30 00',
  C: '45 36 16 05 01 10 30 41',
  D: '00 06 26 44 42 20 00',
  E: '46 06 00 40|03 33',
  F: '46 06 00|03 33',
  G: '45 36 16 05 01 10 30 41 43 23',
  H: '00 06|40 46|03 43',
  I: '20 26',
  L: '06 00 40',
  M: '00 06 23 46 40',
  N: '00 06 40 46',
  O: '10 01 05 16 36 45 41 30 10',
  P: '00 06 36 45 44 33 03',
  R: '00 06 36 45 44 33 03|23 40',
  S: '45 36 16 05 04 13 33 42 41 30 10 01',
  T: '06 46|26 20',
  U: '06 01 10 30 41 46',
  V: '06 20 46',
  W: '06 10 23 30 46',
  X: '01 45|05 41',
  0: '10 01 05 16 36 45 41 30 10',
  1: '15 26 20',
  2: '05 16 36 45 44 00 40',
  3: '06 46 24 34 43 41 30 10 01',
  4: '30 36 02 42',
  5: '46 06 04 34 43 41 30 10 01',
  6: '45 36 16 05 01 10 30 41 42 33 03',
  7: '46 10|06 46',
  8: '13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33',
  9: '01 10 30 41 45 36 16 05 04 13 43',
  '-': '03 43',
  '.': '20 21',
}

/** Each stroke of a letter as points. */
function strokesOf(letter: string) {
  const strokes = letters[letter]?.split('|') ?? []
  return strokes.map((stroke) => stroke.split(' ').map((at): Point2 => [Number(at[0]), Number(at[1])]))
}

/** Writes from x on, its foot at y; answers where it ends. */
export function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  high: number,
  weight = 0.16,
) {
  const unit = high / 6
  Object.assign(context, { lineWidth: high * weight, lineJoin: 'round', lineCap: 'round' })
  let pen = x
  for (const letter of text) {
    context.beginPath()
    for (const stroke of strokesOf(letter))
      for (const [i, [across, up]] of stroke.entries()) {
        const [px, py] = [pen + across * unit, y - up * unit]
        if (i === 0) context.moveTo(px, py)
        else context.lineTo(px, py)
      }
    context.stroke()
    pen += (letter === ' ' ? 3.5 : letter === '.' || letter === 'I' ? 4.6 : 6) * unit
  }
  return pen
}

/** Laser-marked figures of this height, in the xy plane, around the origin. */
export function figures(text: string, height: number, material: Material) {
  const scale = height / 6
  const lines = [...text].flatMap((letter, i) =>
    strokesOf(letter).flatMap((line) => {
      const corners = line.map(([x, y]): Point2 => [x + i * 5.4, y])
      return corners.slice(1).map((end, k) => bar(corners[k]!, end, material))
    }),
  )
  const all = at(group(...lines), [(-(text.length * 5.4 - 1.4) / 2) * scale, -3 * scale, 0])
  all.scale.set(scale, scale, 1)
  return group(all)
}

function bar([x, y]: Point2, [endX, endY]: Point2, material: Material) {
  const line = new Shape().absarc(0, 0, 0.32, Math.PI / 2, -Math.PI / 2, false)
  line.absarc(Math.hypot(endX - x, endY - y), 0, 0.32, -Math.PI / 2, Math.PI / 2, false)
  return at(plate(line as Shape, 0.06, material, 0, 6), [x, y, 0], [0, 0, Math.atan2(endY - y, endX - x)])
}
