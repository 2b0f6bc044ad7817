import { type Drawing, type Paint, type Point, paint, picture, placed, round, shape } from './drawing.ts'
import { disc, link } from './outlines.ts'

const pitch = 81
const rows = [205, 450, 695] as const
const [left, right] = [262, 938]
const bend = (rows[1] - rows[0]) / 2

/** A length of chain laid in an S: inner and outer plates by turns, the quick link in the accent colour. */
export function chain({ hollow }: { hollow: boolean }): Drawing {
  const pins = pinsAlong()
  const quickLink = 15
  const plates = pins.slice(1).map((pin, index) => ({ from: pins[index] ?? pin, to: pin, index }))
  const draw = (outer: boolean) =>
    plates
      .filter(({ index }) => (index % 2 === 1) === outer)
      .map(({ from, to, index }) =>
        plate(from, to, outer, hollow, index === quickLink ? paint.accentTube : undefined),
      )
  return picture(...draw(false), ...draw(true))
}

function plate(from: Point, to: Point, outer: boolean, hollow: boolean, fill?: Paint): string {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  const [r, w] = outer ? [pitch * 0.33, pitch * 0.235] : [pitch * 0.345, pitch * 0.26]
  const [a, b] = [round(length * 0.28), round(length * 0.72)]
  const half = round(length / 2)
  const size = round(r)
  const waist = round(w)
  const edge =
    `M0 ${-size}C${a} ${-size} ${a} ${-waist} ${half} ${-waist}S${b} ${-size} ${round(length)} ${-size}` +
    `A${size} ${size} 0 0 1 ${round(length)} ${size}C${b} ${size} ${b} ${waist} ${half} ${waist}` +
    `S${a} ${size} 0 ${size}A${size} ${size} 0 0 1 0 ${-size}Z`
  const hole = hollow || !outer ? link([length * 0.38, 0], [length * 0.62, 0], pitch * 0.07) : ''
  const ends: Point[] = [
    [0, 0],
    [length, 0],
  ]
  const rivets = ends.map((at) =>
    outer
      ? shape(disc(at, pitch * 0.13), paint.alloy, 'stroke-width="1.4"') +
        shape(disc(at, pitch * 0.06), paint.steel, 'stroke="none"')
      : shape(disc(at, pitch * 0.2), paint.steel, 'stroke-width="1.4"') +
        shape(disc(at, pitch * 0.12), paint.shade, 'stroke="none"'),
  )
  const degrees = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI
  return placed(
    shape(edge + hole, fill ?? (outer ? paint.alloyTube : paint.darkTube)) + rivets.join(''),
    from,
    degrees,
  )
}

/** The S, walked in small steps; a pin wherever the chord from the last one reaches the pitch. */
function pinsAlong(): Point[] {
  const run = right - left
  const turn = Math.PI * bend
  const at = (way: number): Point => {
    if (way < run) return [left + way, rows[0]]
    if (way < run + turn) return arc(right, rows[0] + bend, (way - run) / bend, 1)
    if (way < 2 * run + turn) return [right - (way - run - turn), rows[1]]
    if (way < 2 * (run + turn)) return arc(left, rows[1] + bend, (way - 2 * run - turn) / bend, -1)
    return [left + way - 2 * (run + turn), rows[2]]
  }
  const pins: Point[] = [at(0)]
  for (let way = 0; way < 3 * run + 2 * turn; way += 0.5) {
    const [last, next] = [pins.at(-1) ?? at(0), at(way)]
    if (Math.hypot(next[0] - last[0], next[1] - last[1]) >= pitch) pins.push(next)
  }
  return pins
}

function arc(x: number, y: number, angle: number, side: 1 | -1): Point {
  return [x + side * bend * Math.sin(angle), y - bend * Math.cos(angle)]
}
