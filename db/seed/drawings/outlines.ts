import { type Point, polar, round, xy } from './drawing.ts'

/** A table of points written as text, 'x y, x y'. */
export function points(text: string): Point[] {
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[2 * index] ?? 0,
    numbers[2 * index + 1] ?? 0,
  ])
}

/** Path data of plain shapes; holes are further subpaths (the frame fills by the even-odd rule). */
export function disc(from: Point, radius: number): string {
  const [x, y] = from
  const r = round(radius)
  return `M${xy([x - radius, y])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
}

export function oval([x, y]: Point, rx: number, ry: number): string {
  return (
    `M${xy([x - rx, y])}a${round(rx)} ${round(ry)} 0 1 0 ${round(2 * rx)} 0` +
    `a${round(rx)} ${round(ry)} 0 1 0 ${round(-2 * rx)} 0Z`
  )
}

export function polygon(points: Point[]): string {
  return `M${points.map(xy).join('L')}Z`
}

export function ngon(from: Point, radius: number, sides: number, turn = 0): string {
  return polygon(
    Array.from({ length: sides }, (_, index) => polar(radius, turn + (360 * index) / sides, from)),
  )
}

export function slab(x: number, y: number, width: number, height: number, corner = 0): string {
  const r = Math.min(corner, width / 2, height / 2)
  const arc = (dx: number, dy: number) => `a${round(r)} ${round(r)} 0 0 1 ${round(dx)} ${round(dy)}`
  return (
    `M${xy([x + r, y])}h${round(width - 2 * r)}${arc(r, r)}v${round(height - 2 * r)}${arc(-r, r)}` +
    `h${round(2 * r - width)}${arc(-r, -r)}v${round(2 * r - height)}${arc(r, -r)}Z`
  )
}

/** The straight-sided hull of two circles: links, arms, slots. */
export function link(a: Point, b: Point, ra: number, rb = ra): string {
  const turn = Math.atan2(b[1] - a[1], b[0] - a[0])
  const open = Math.acos((ra - rb) / Math.hypot(b[0] - a[0], b[1] - a[1]))
  const on = (from: Point, r: number, angle: number): Point => [
    from[0] + r * Math.cos(angle),
    from[1] + r * Math.sin(angle),
  ]
  const near = open < Math.PI / 2 ? 1 : 0
  const [A, B] = [round(ra), round(rb)]
  return (
    `M${xy(on(a, ra, turn + open))}A${A} ${A} 0 ${near} 1 ${xy(on(a, ra, turn - open))}` +
    `L${xy(on(b, rb, turn - open))}A${B} ${B} 0 ${1 - near} 1 ${xy(on(b, rb, turn + open))}Z`
  )
}

/** A kidney slot between two radii, its ends rounded; degrees run clockwise from twelve. */
export function slot(from: Point, inner: number, outer: number, start: number, end: number): string {
  const cap = round((outer - inner) / 2)
  const large = end - start > 180 ? 1 : 0
  return (
    `M${xy(polar(outer, start, from))}A${round(outer)} ${round(outer)} 0 ${large} 1 ` +
    `${xy(polar(outer, end, from))}` +
    `A${cap} ${cap} 0 0 1 ${xy(polar(inner, end, from))}A${round(inner)} ${round(inner)} 0 ${large} 0 ` +
    `${xy(polar(inner, start, from))}A${cap} ${cap} 0 0 1 ${xy(polar(outer, start, from))}Z`
  )
}

/** A closed outline whose radius is a function of the angle in degrees. */
export function wavy(from: Point, radiusAt: (degrees: number) => number, step = 3): string {
  return polygon(
    Array.from({ length: 360 / step }, (_, index) => polar(radiusAt(index * step), index * step, from)),
  )
}

/** A smooth curve through all points (Catmull-Rom as cubic Béziers). */
export function smooth(through: Point[], closed = false): string {
  const last = through.length - 1
  const near = (index: number): Point => {
    const wrapped = closed ? (index + through.length) % through.length : Math.min(Math.max(index, 0), last)
    return through[wrapped] ?? [0, 0]
  }
  const lean = (a: Point, from: Point, to: Point, sign: number): Point => [
    a[0] + (sign * (to[0] - from[0])) / 6,
    a[1] + (sign * (to[1] - from[1])) / 6,
  ]
  let path = `M${xy(near(0))}`
  for (let index = 0; index < (closed ? through.length : last); index++) {
    const [before, a, b, after] = [near(index - 1), near(index), near(index + 1), near(index + 2)]
    path += `C${xy(lean(a, before, b, 1))} ${xy(lean(b, a, after, -1))} ${xy(b)}`
  }
  return closed ? `${path}Z` : path
}

/** A smooth closed outline through a table of points. */
export function outline(text: string): string {
  return smooth(points(text), true)
}

/** A toothed wheel for half-inch chain: round roller seats, curved flanks, narrow tips. */
export function sprocket(from: Point, teeth: number, pitchRadius: number): string {
  const pitch = 2 * pitchRadius * Math.sin(Math.PI / teeth)
  const roller = round(pitch * 0.305)
  const tooth = (index: number) => {
    const degrees = (360 * index) / teeth
    const seat = (along: number, out: number) =>
      xy(polar(pitch * along, degrees + 90, polar(pitchRadius + pitch * out, degrees, from)))
    return (
      `${index ? 'L' : 'M'}${seat(-0.42, 0.27)}Q${seat(-0.31, 0.1)} ${seat(-0.264, -0.152)}` +
      `A${roller} ${roller} 0 0 0 ${seat(0.264, -0.152)}Q${seat(0.31, 0.1)} ${seat(0.42, 0.27)}`
    )
  }
  return `${Array.from({ length: teeth }, (_, index) => tooth(index)).join('')}Z`
}
