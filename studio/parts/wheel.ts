import { LatheGeometry, Mesh, Vector2, Vector3 } from 'three'
import { carbon, darkSteel, glossBlack, plastic, polished, steel } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { canvasOf, print } from '#studio/shapes/prints.ts'
import { nipple, screwed, spoke } from '#studio/shapes/spoke.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { axleEnd, discMount, type HubSize, holeCircle, shell } from './hub-shell.ts'

/** The outside of the rim's walls, and its depth of 45 mm. */
const outside = 317.5
const inside = outside - 45

const size: HubSize = {
  holes: 28,
  width: 100,
  bore: 6,
  discFlange: 21,
  otherFlange: -32,
  disc: 39.5,
  otherEnd: -40,
}

/** A 700C wheel: a hooked carbon rim, 28 spokes laced two-cross, a six-bolt hub for an axle of 12 x 100 mm. */
export function frontWheel(): Model {
  const wheel = group(
    rim(),
    ...prints(),
    shell(size),
    discMount(size),
    axleEnd(size, 1, size.disc + 1.6),
    axleEnd(size, -1, -size.otherEnd),
    ...Array.from({ length: 28 }, (_, i) => laced(i)),
    at(
      valve(),
      [inside * Math.cos(valveTurn), inside * Math.sin(valveTurn), 0],
      [0, 0, valveTurn + Math.PI / 2],
    ),
  )
  wheel.position.y = outside
  return {
    object: group(wheel),
    views: [
      { azimuth: 33, elevation: 12, fill: 0.92 },
      { azimuth: 34, elevation: 14, detail: { at: [0, outside, 10], width: 176 } },
    ],
  }
}

/** Half a spoke's step from the next holes. */
const valveTurn = -Math.PI / 2 + Math.PI / 28

/**
 * One spoke and its nipple. Those of even number are at the disc's side. On each side every other one runs forwards
 * from the inside of the flange, and the rest backwards from its outside; each crosses two of its neighbours and is
 * bent over the last.
 */
function laced(i: number) {
  const step = (2 * Math.PI) / 14
  const left = i % 2 === 0
  const k = Math.floor(i / 2)
  const forwards = k % 2 === 0
  const flange = left ? size.discFlange : size.otherFlange
  const outwards = left ? 1 : -1
  const start = (k + (left ? 0 : 0.5)) * step
  const end = start + (forwards ? 2 : -2) * step
  const hole = new Vector3(holeCircle * Math.cos(start), holeCircle * Math.sin(start), flange)
  // A spoke that leaves the flange outside has its head inside.
  const side = forwards ? -outwards : outwards
  const through = new Vector3(0, 0, side)
  const tip = new Vector3((inside + 4) * Math.cos(end), (inside + 4) * Math.sin(end), left ? 2.2 : -2.2)
  const straight = new Vector3(hole.x, hole.y, flange + side * 3.4)
  const by = crossing(straight, tip, forwards ? 1 : -1, step)
  by.z += -side * (Math.abs(by.z - middleAt(by, flange, tip)) + 1)
  const wire = spoke({ hole, through, by, end: tip }, wires, 10, false)
  return group(wire, screwed(nipple(glossBlack), by, tip, 2))
}

/** The steel of the spokes, blackened. */
const wires = darkSteel.clone()
wires.color.set('#5e6165')

/** Where it passes the spoke that it crosses last: half-way, as angles go, between the two at the hub. */
function crossing(from: Vector3, to: Vector3, sense: number, step: number) {
  const flat = Math.atan2(from.y, from.x)
  const target = flat + sense * 1.5 * step
  for (let t = 0; t < 1; t += 0.002) {
    const point = from.clone().lerp(to, t)
    let angle = Math.atan2(point.y, point.x) - flat
    while (angle * sense < -0.01) angle += sense * 2 * Math.PI
    if (angle * sense >= Math.abs(target - flat)) return point
  }
  return from.clone().lerp(to, 0.4)
}

/** Half-way between the spokes of both sorts, at this point's distance from the axle. */
function middleAt(point: Vector3, flange: number, tip: Vector3) {
  const t = (Math.hypot(point.x, point.y) - holeCircle) / (Math.hypot(tip.x, tip.y) - holeCircle)
  return flange + (tip.z - flange) * t
}

/** The rim's side from the spokes out: a blunt nose, then ever steeper. */
const flank = Array.from({ length: 41 }, (_, i): Point2 => {
  const up = Math.sin((i / 40) * (Math.PI / 2))
  return [inside + 39 * up ** 1.35, 14 * up ** 0.62 * (1 - 0.06 * up ** 8)]
})

/** The maker's name twice on the side, with one bar in the shop's orange. */
function prints() {
  const { canvas, context } = canvasOf(2900, 256)
  context.strokeStyle = '#c9ccd0'
  const end = write(context, 'LONGBARROW', 60, 206, 156, 0.15)
  context.strokeStyle = '#a4a9ae'
  write(context, 'CONTOUR 45', end + 90, 172, 88, 0.13)
  context.fillStyle = '#c8501e'
  context.fillRect(end + 8, 50, 22, 156)
  const side = flank
    .filter(([r]) => r > inside + 11 && r < inside + 34)
    .map(([r, z]): Point2 => [r, z + 0.12])
  return [0.5, Math.PI + 0.5].map((turn) => {
    const piece = print([...side].reverse(), 57, canvas, { clearcoat: 1 })
    piece.rotation.z = turn
    return piece
  })
}

/** The rim: 28 mm wide outside, 23 mm inside between its hooks, 45 mm deep. */
function rim() {
  const right: Point2[] = [
    ...flank,
    [outside - 0.6, 13.1],
    [outside - 0.1, 12.8],
    [outside, 12.2],
    [outside - 0.3, 11.2],
    [outside - 1.4, 10.6],
    [outside - 3, 11.4],
    [outside - 6, 11.5],
    [outside - 6.6, 11],
    [outside - 6.9, 7],
    [outside - 10, 4.5],
    [outside - 10.4, 0],
  ]
  const left = right.map(([r, z]): Point2 => [r, -z]).reverse()
  const geometry = new LatheGeometry(
    [...left, ...right].map(([r, z]) => new Vector2(r, z)),
    320,
  )
  const cloth = carbon.clone()
  cloth.map = carbon.map!.clone()
  cloth.map.repeat.set(240, 16)
  return at(group(new Mesh(geometry, cloth)), [0, 0, 0], [Math.PI / 2, 0, 0])
}

/** A tubeless valve with its nut and its cap, standing up from the rim. */
function valve() {
  const stem: Point2[] = [[2.6, -2]]
  for (let y = 0; y < 26; y += 0.8) stem.push([2.6, y], [3, y + 0.4])
  return group(
    lathe(stem, steel, 32),
    lathe(
      [
        [3, 1],
        [5.6, 1],
        [6, 1.4],
        [6, 4.6],
        [5.6, 5],
        [3, 5],
      ],
      polished,
      48,
    ),
    lathe(
      [
        [3.2, 22],
        [3.6, 22.4],
        [3.6, 33],
        [2.6, 36],
        [1.6, 38],
        [0, 38.4],
      ],
      plastic,
      48,
    ),
  )
}
