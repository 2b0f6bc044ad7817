import {
  around,
  hairline,
  type Paint,
  type Point,
  paint,
  placed,
  polar,
  round,
  shape,
  xy,
} from './drawing.ts'
import { disc, ngon, oval } from './outlines.ts'

/** A screw head seen from above, with its hexagon socket. */
export function bolt(from: Point, radius: number, fill: Paint = paint.steel): string {
  return (
    shape(disc(from, radius), fill) +
    hairline(disc(from, radius * 0.8), '#ffffff', 1.5, 0.35) +
    shape(ngon(from, radius * 0.52, 6, 15), paint.shade)
  )
}

/** A straight round tube between two points, shaded across its width. */
export function tube(a: Point, b: Point, width: number, fill: Paint, endWidth = width): string {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1])
  const [w, e] = [width / 2, endWidth / 2]
  const body = shape(`M0 ${-w}L${round(length)} ${-e}V${e}L0 ${w}Z`, fill)
  return placed(body, a, (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI)
}

const tones = {
  alloy: ['#39414a', '#98a2ad', '#c6cdd5', '#ffffff'],
  dark: ['#14171a', '#2b3138', '#4a535d', '#98a2ad'],
  rubber: ['#121416', '#24282c', '#3a4046', '#767f88'],
  steel: ['#2f363e', '#6c7682', '#9aa4af', '#e3e8ec'],
  accent: ['#5e2710', '#a84a26', '#d2683c', '#f7bd9b'],
} as const

/** A bent tube along an open path, shaded by strokes laid on each other. */
export function bentTube(path: string, width: number, tone: keyof typeof tones, cap = 'butt'): string {
  const [edge, base, middle, light] = tones[tone]
  const layer = (colour: string, share: number, lift: number, opacity = 1) =>
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${round(width * share)}"` +
    ` stroke-linecap="${cap}" stroke-opacity="${opacity}"` +
    ` transform="translate(${round(-width * lift)} ${round(-width * lift)})"/>`
  return (
    `<path d="${path}" fill="none" stroke="${edge}" stroke-width="${round(width + 4)}"` +
    ` stroke-linecap="${cap}"/>` +
    layer(base, 1, 0) +
    layer(middle, 0.62, 0.08) +
    layer(light, 0.34, 0.13, 0.45) +
    layer(light, 0.14, 0.15, 0.8)
  )
}

export interface Section {
  length: number
  radius: number
  endRadius?: number
  paint: Paint
  face?: Paint
  bore?: number
  rings?: number
  splines?: number
}

/** How much of a turned part's end is seen: an end face of radius r is an ellipse r * lean wide. */
export const lean = 0.24

/** Parts turned on a lathe, along x from the far end to the near one, whose face looks to the right. */
export function turned(start: Point, sections: Section[]): string {
  let [x, y] = start
  return sections
    .map((section) => {
      const body = cylinder([x, y], section)
      x += section.length
      return body
    })
    .join('')
}

function cylinder([x, y]: Point, section: Section): string {
  const { length, radius, endRadius = radius, face = paint.steel, bore = 0, rings = 0, splines = 0 } = section
  const end = x + length
  const half = (at: number, r: number, sweep: number) =>
    `A${round(r * lean)} ${round(r)} 0 0 ${sweep} ${xy([at, y + (sweep ? -r : r)])}`
  const ring = (share: number) => {
    const r = radius + (endRadius - radius) * share
    return hairline(
      `M${xy([x + length * share, y - r])}${half(x + length * share, r, 0)}`,
      '#14181c',
      1.6,
      0.45,
    )
  }
  const spline = (index: number) => {
    const angle = ((index + 0.5) / splines - 0.5) * Math.PI
    const at = (along: number, r: number) => xy([along - r * lean * Math.cos(angle), y + r * Math.sin(angle)])
    return hairline(`M${at(x, radius)}L${at(end, endRadius)}`, '#14181c', 2.4 * Math.cos(angle) + 0.8, 0.55)
  }
  return (
    shape(
      `M${xy([x, y - radius])}${half(x, radius, 0)}L${xy([end, y + endRadius])}` +
        `${half(end, endRadius, 1)}Z`,
      section.paint,
    ) +
    Array.from({ length: rings }, (_, index) => ring((index + 1) / (rings + 1))).join('') +
    Array.from({ length: splines }, (_, index) => spline(index)).join('') +
    shape(oval([end, y], endRadius * lean, endRadius), face) +
    (bore ? shape(oval([end, y], bore * lean, bore), paint.shade) : '')
  )
}

/** Small holes on a circle in the end face of a turned part. */
export function faceHoles(at: Point, radius: number, hole: number, count: number): string {
  return around(count, (degrees) => {
    const [x, y] = polar(radius, degrees, [0, 0])
    return shape(
      oval([at[0] + x * lean, at[1] + y], Math.max(hole * lean * 1.6, 1.5), hole),
      paint.shade,
      'stroke="none"',
    )
  })
}
