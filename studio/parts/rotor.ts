import { Path } from 'three'
import { accent, anodised, darkSteel, steel } from '#studio/materials.ts'
import { bolt } from '#studio/shapes/bolts.ts'
import { outline, path, roundHole } from '#studio/shapes/outlines.ts'
import { around, at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { canvasOf, textureOf } from '#studio/shapes/prints.ts'
import { slab } from '#studio/shapes/slab.ts'
import { turnedZ } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const arms = 8
const circle = Math.PI * 2

/** A rotor of 180 mm: a steel band of 1.85 mm, riveted to a carrier with eight arms for six bolts on 44 mm. */
export function rotor(): Model {
  const band = slab(bandOutline(), 1.85, faced(steel, '#dcdad8', 0.26), { edge: 0.25 })
  const carrier = at(
    slab(carrierOutline(), 2.6, faced(anodised, '#6b6a6a', 0.3), { edge: 0.6 }),
    [0, 0, -0.4],
  )
  const rivets = around(arms, () => at(rivet(), [70, 0, 0]))
  const bolts = around(6, () =>
    at(bolt({ radius: 4.5, height: 2.6, key: 4, lobes: true, material: darkSteel }), [22, 0, 0.9]),
  )
  const lying = group(group(band, carrier, rivets, bolts))
  lying.children[0]!.rotation.set(-Math.PI / 2, 0, 0.2)
  return {
    object: lying,
    views: [
      { azimuth: 12, elevation: 58, fill: 0.86 },
      { azimuth: 35, elevation: 36, detail: { at: [22, 0, 45], width: 115 } },
    ],
  }
}

function polar(radius: number, angle: number): Point2 {
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}

/** A button of steel in an orange bush: it lets the band grow when it is hot. */
function rivet() {
  const bush = turnedZ(
    [
      [0, -1.9],
      [3.4, -1.9],
      [4.6, -1.6],
      [4.6, 1.4],
      [4.2, 1.9],
      [3.2, 1.9],
      [2.9, 1.4],
      [0, 1.4],
    ],
    accent,
    48,
  )
  const button = turnedZ(
    [
      [2.5, 0],
      [2.5, 1.5],
      [2.1, 1.9],
      [0, 1.9],
    ],
    steel,
    32,
  )
  return group(bush, button)
}

/** The brake track: waves inside and out, eyes for the rivets, holes and slots that cut the pads clean. */
function bandOutline() {
  const points = Array.from({ length: 720 }, (_, i): Point2 => {
    const angle = (i / 720) * circle
    return polar(89.3 + 0.7 * Math.cos(angle * 24), angle)
  })
  const shape = outline(points)
  const inside = Array.from({ length: 720 }, (_, i): Point2 => {
    const angle = (i / 720) * circle
    const wave = 74.8 + 0.9 * Math.cos(angle * 24 + Math.PI)
    return polar(Math.min(wave, eye(angle)), angle)
  })
  shape.holes.push(path(inside))
  for (let i = 0; i < arms; i++) shape.holes.push(roundHole(...polar(70, (i / arms) * circle), 3.2))
  for (let i = 0; i < 24; i++) {
    const angle = ((i + 0.5) / 24) * circle
    shape.holes.push(slot(angle, 79, 85.2, 0.055))
    shape.holes.push(roundHole(...polar(77.8, angle + 0.085), 1.7))
    shape.holes.push(roundHole(...polar(82.2, angle + 0.135), 1.9))
    shape.holes.push(roundHole(...polar(86.2, angle + 0.172), 1.5))
  }
  return shape
}

/** Where the eye around the nearest rivet begins, as a radius. */
function eye(angle: number) {
  const off = Math.abs((((angle / circle) * arms + 0.5) % 1) - 0.5) * (circle / arms)
  const [reach, across] = [70 * Math.cos(off), 70 * Math.sin(off)]
  if (across < 6) return reach - Math.sqrt(36 - across * across)
  // From the eye a hollow leads over to the band.
  return across < 11 ? 70 + (across - 6) * 0.9 : 90
}

function slot(angle: number, from: number, to: number, lean: number) {
  const found = new Path()
  const [a, b] = [polar(from, angle - lean), polar(to, angle + lean)]
  const heading = Math.atan2(b[1] - a[1], b[0] - a[0])
  found.absarc(b[0], b[1], 1.6, heading - Math.PI / 2, heading + Math.PI / 2, false)
  found.absarc(a[0], a[1], 1.6, heading + Math.PI / 2, heading + Math.PI * 1.5, false)
  found.closePath()
  return found
}

/** A hub with eight arms that lean forward, and a hole in the middle. */
function carrierOutline() {
  const lean = (radius: number) => -0.00021 * (70 - radius) ** 2
  // From the round end of an arm its sides widen, more and more, until they meet the next arm's.
  const side = (u: number) => ({
    radius: 65 - 34 * Math.sin(u),
    aside: 0.068 + 0.325 * (1 - Math.sqrt(1 - Math.sin(u) ** 3)),
  })
  const bends = Array.from({ length: 40 }, (_, i) => (i / 40) * (Math.PI / 2))
  const points = Array.from({ length: arms }, (_, i) => {
    const start = (i / arms) * circle
    const along = (sign: number) => (u: number) => {
      const { radius, aside } = side(u)
      return polar(radius, start + lean(radius) + sign * aside)
    }
    const end = Array.from({ length: 33 }, (_, k): Point2 => {
      const [x, y] = polar(70, start)
      const angle = start + 2.3 * (k / 16 - 1)
      return [x + 6 * Math.cos(angle), y + 6 * Math.sin(angle)]
    })
    return [...bends.toReversed().map(along(-1)), ...end, ...bends.map(along(1))]
  })
  const shape = outline(points.flat())
  shape.holes.push(roundHole(0, 0, 16.5))
  for (let i = 0; i < 6; i++) {
    shape.holes.push(roundHole(...polar(22, (i / 6) * circle), 2.6))
    shape.holes.push(roundHole(...polar(25, ((i + 0.5) / 6) * circle), 2.6))
  }
  return shape
}

/** As a lathe leaves a face: the light stands on it in rays from the middle. */
function faced(material: typeof steel, colour: string, roughness: number) {
  const size = 1024
  const { canvas, context } = canvasOf(size, size)
  const rays = context.createConicGradient(0.5, size / 2, size / 2)
  const shades = [1, 0.72, 0.86, 0.66, 0.97, 0.74, 0.9, 0.64]
  for (const [i, shade] of [...shades, shades[0]!].entries()) {
    const grey = Math.round(shade * 255)
    rays.addColorStop(i / shades.length, `rgb(${grey}, ${grey}, ${grey})`)
  }
  context.fillStyle = rays
  context.fillRect(0, 0, size, size)
  const map = textureOf(canvas)
  map.repeat.set(1 / 190, 1 / 190)
  map.offset.set(0.5, 0.5)
  const found = material.clone()
  found.setValues({ map, color: colour, roughness })
  return found
}
