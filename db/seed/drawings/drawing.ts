/** A complete SVG document of 1200 by 900 units, light from the top left. */
export type Drawing = string

/** What of a drawing is worth a closer look: its middle and its width, three quarters as high. */
export interface Detail {
  x: number
  y: number
  width: number
}

export type Point = readonly [x: number, y: number]

export const centre: Point = [600, 450]

const linear = (id: string, to: string, ...stops: [number, string][]) =>
  `<linearGradient id="${id}" x1="0" y1="0" ${to}>` +
  stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('') +
  '</linearGradient>'

const slope = 'x2="0.8" y2="1"'
const across = 'x2="0" y2="1"'

const surfaces = [
  linear('ground', slope, [0, '#f6f8fa'], [1, '#dfe4e9']),
  linear('alloy', slope, [0, '#ffffff'], [0.45, '#d9dee4'], [1, '#a3acb6']),
  linear('steel', slope, [0, '#d3d9df'], [0.5, '#9aa4af'], [1, '#6c7682']),
  linear('dark', slope, [0, '#6a7480'], [0.45, '#3b434d'], [1, '#22272e']),
  linear('rubber', slope, [0, '#4b525a'], [0.5, '#2c3137'], [1, '#1a1d21']),
  linear('accent', slope, [0, '#ee9a6b'], [0.5, '#cf5f33'], [1, '#9c4220']),
  linear('tan', slope, [0, '#ecd3b0'], [0.5, '#cfa877'], [1, '#9f7a4e']),
  linear(
    'alloyTube',
    across,
    [0, '#c3cad2'],
    [0.25, '#ffffff'],
    [0.6, '#c5ccd4'],
    [0.9, '#8b95a0'],
    [1, '#a4adb7'],
  ),
  linear(
    'steelTube',
    across,
    [0, '#8b959f'],
    [0.25, '#dfe4e9'],
    [0.6, '#8e98a3'],
    [0.9, '#59636e'],
    [1, '#707a85'],
  ),
  linear(
    'darkTube',
    across,
    [0, '#414a54'],
    [0.25, '#8a949f'],
    [0.55, '#3c444d'],
    [0.9, '#1d2227'],
    [1, '#353c44'],
  ),
  linear(
    'rubberTube',
    across,
    [0, '#33383e'],
    [0.25, '#666e77'],
    [0.55, '#2f3439'],
    [0.9, '#17191c'],
    [1, '#2a2e33'],
  ),
  linear(
    'accentTube',
    across,
    [0, '#c05a31'],
    [0.25, '#f5b48f'],
    [0.55, '#cf5f33'],
    [0.9, '#8a391b'],
    [1, '#a94a26'],
  ),
].join('')

export const paint = {
  alloy: 'url(#alloy)',
  steel: 'url(#steel)',
  dark: 'url(#dark)',
  rubber: 'url(#rubber)',
  accent: 'url(#accent)',
  tan: 'url(#tan)',
  alloyTube: 'url(#alloyTube)',
  steelTube: 'url(#steelTube)',
  darkTube: 'url(#darkTube)',
  rubberTube: 'url(#rubberTube)',
  accentTube: 'url(#accentTube)',
  shade: '#1f252c',
  none: 'none',
} as const

export type Paint = (typeof paint)[keyof typeof paint]

/** The frame every part stands in: neutral ground, one soft shadow, thin dark outlines. */
export function picture(...body: string[]): Drawing {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 900" width="1200" height="900">' +
    `<defs>${surfaces}<filter id="shadow" x="-0.06" y="-0.08" width="1.15" height="1.26"` +
    ' color-interpolation-filters="sRGB">' +
    '<feGaussianBlur in="SourceAlpha" stdDeviation="11"/>' +
    '<feOffset dx="9" dy="15" result="blur"/>' +
    '<feComposite in="SourceGraphic" in2="blur" operator="arithmetic" k2="1" k3="0.26"/></filter></defs>' +
    '<rect width="1200" height="900" fill="url(#ground)"/>' +
    '<g filter="url(#shadow)">' +
    '<g fill-rule="evenodd" stroke="#2f363e" stroke-width="2" stroke-linejoin="round">' +
    `${body.join('')}</g></g></svg>`
  )
}

/** Which pixels of a close-up are the picture; those above and to the left are there for the shadow they throw. */
export const closeUpFrame = { left: 120, top: 90, width: 1200, height: 900 } as const

/**
 * A detail of a drawing, in 1320 by 990 pixels of which `closeUpFrame` is the picture: a part that is cut off at the
 * very edge throws no shadow there.
 */
export function closeUp(drawing: Drawing, { x, y, width }: Detail): Drawing {
  const height = width * 0.75
  const [left, top] = [x - 0.6 * width, y - 0.6 * height]
  return drawing.replace(
    'viewBox="0 0 1200 900" width="1200" height="900"',
    `viewBox="${round(left)} ${round(top)} ${round(1.1 * width)} ${round(1.1 * height)}" width="1320" height="990"`,
  )
}

export const round = (value: number) => Math.round(value * 10) / 10
export const xy = ([x, y]: Point) => `${round(x)} ${round(y)}`

/** The point at a distance from `from`; degrees run clockwise from twelve o'clock. */
export function polar(radius: number, degrees: number, from: Point = centre): Point {
  const angle = (degrees * Math.PI) / 180
  return [from[0] + radius * Math.sin(angle), from[1] - radius * Math.cos(angle)]
}

export function around(count: number, draw: (degrees: number, index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw((360 * index) / count, index)).join('')
}

export function shape(path: string, fill: Paint, more = ''): string {
  return `<path d="${path}" fill="${fill}"${more && ` ${more}`}/>`
}

/** A stroke without a face: seams, edges, reflections. */
export function hairline(path: string, colour = '#1f252c', width = 1.5, opacity = 0.6): string {
  return (
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}"` +
    ' stroke-linecap="round"/>'
  )
}

export function placed(body: string, to: Point, degrees = 0, scale = 1): string {
  return `<g transform="translate(${xy(to)}) rotate(${round(degrees)}) scale(${scale})">${body}</g>`
}

export function clipped(id: string, path: string, body: string): string {
  return (
    `<clipPath id="${id}"><path d="${path}" clip-rule="evenodd"/></clipPath>` +
    `<g clip-path="url(#${id})">${body}</g>`
  )
}

/** Bright wedges as on a turned disc, strongest at the top left and the bottom right. */
export function sheen(outer: number, inner: number, from: Point = centre, strength = 0.34): string {
  const [far, near] = [round(outer), round(inner)]
  const wedge = (middle: number, half: number) =>
    `M${xy(polar(outer, middle - half, from))}A${far} ${far} 0 0 1 ${xy(polar(outer, middle + half, from))}` +
    `L${xy(polar(inner, middle + half, from))}A${near} ${near} 0 0 0 ` +
    `${xy(polar(inner, middle - half, from))}Z`
  const wedges = Array.from({ length: 10 }, (_, step) => 4 + step * 3.4).map(
    (half) => `<path d="${wedge(-45, half)}${wedge(135, half)}"/>`,
  )
  const opacity = Math.round(strength * 100) / 1000
  return `<g fill="#fff" fill-opacity="${opacity}" stroke="none">${wedges.join('')}</g>`
}
