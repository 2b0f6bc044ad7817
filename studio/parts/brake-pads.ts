import { MeshPhysicalMaterial, RepeatWrapping, Shape } from 'three'
import { steel } from '#studio/materials.ts'
import { bolt } from '#studio/shapes/bolts.ts'
import { path, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { canvasOf, textureOf } from '#studio/shapes/prints.ts'
import { slab } from '#studio/shapes/slab.ts'
import { lathe, threads } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const quarter = Math.PI / 2
/** A stamped plate, zinc-plated. */
const plated = steel.clone()
plated.roughness = 0.36

/** Two pads with their spring and the threaded pin that holds them. */
export function brakePads(): Model {
  const compound = copperFilled()
  const lying = at(group(at(pad(compound), [0, 0, 0], [-quarter, 0, 0])), [-27, 2.9, -8], [0, 0.16, 0])
  const turned = at(
    group(at(pad(compound), [0, 0, 0], [quarter, 0, 0])),
    [29, 2.9, -12],
    [0, Math.PI - 0.2, 0],
  )
  return {
    object: group(
      lying,
      turned,
      at(spring(), [-22, 0, 30], [0, 0.3, 0]),
      at(pin(), [42, 3.6, 26], [0, quarter - 0.3, 0]),
    ),
    views: [
      { azimuth: -10, elevation: 50, fill: 0.88 },
      { azimuth: 160, elevation: 36, detail: { at: [0, 2, 3], width: 116 } },
    ],
  }
}

/** The pad of a four-piston caliper: a back plate of 1.8 mm with an eye and two ears, compound on it in two fields. */
export function pad(compound = copperFilled()) {
  const plate = new Shape()
  plate.moveTo(-19, -11)
  plate.quadraticCurveTo(0, -14, 19, -11)
  plate.quadraticCurveTo(21, -10.6, 21, -9)
  for (const [x, y] of [
    [21, 2],
    [23.5, 3],
    [23.5, 8],
    [20.5, 10],
    [9, 11],
  ] as const)
    plate.lineTo(x, y)
  plate.quadraticCurveTo(6, 11.5, 5.6, 14)
  plate.lineTo(5, 17)
  plate.absarc(0, 17, 5, 0, Math.PI, false)
  plate.lineTo(-5.6, 14)
  plate.quadraticCurveTo(-6, 11.5, -9, 11)
  for (const [x, y] of [
    [-20.5, 10],
    [-23.5, 8],
    [-23.5, 3],
    [-21, 2],
    [-21, -9],
  ] as const)
    plate.lineTo(x, y)
  plate.quadraticCurveTo(-21, -10.6, -19, -11)
  plate.holes.push(roundHole(0, 17, 2.2))
  for (const x of [-14, -7, 7, 14]) plate.holes.push(slot(x, -5, 4, 1.1))
  const half = new Shape()
  half.moveTo(2, -11.2)
  half.quadraticCurveTo(10, -10.9, 16, -10)
  half.quadraticCurveTo(18.8, -9.5, 18.8, -7)
  half.lineTo(18.8, 6.4)
  half.quadraticCurveTo(18.8, 8.6, 16.6, 8.6)
  half.lineTo(2.6, 8.6)
  half.quadraticCurveTo(0.8, 8.6, 0.9, 7)
  half.lineTo(1.2, -10)
  half.quadraticCurveTo(1.2, -11.2, 2, -11.2)
  const field = () => at(slab(half, 3.9, compound, { edge: 0.8 }), [0, 0, 0.95])
  const other = group(field())
  other.scale.x = -1
  return group(at(slab(plate, 1.8, plated, { edge: 0.3 }), [0, 0, -1.9]), field(), other)
}

function slot(x: number, from: number, to: number, radius: number) {
  const points = [0, 1].flatMap((end) =>
    Array.from({ length: 13 }, (_, i): Point2 => {
      const turn = (i / 12 + end) * Math.PI
      return [x + radius * Math.cos(turn), (end === 0 ? to : from) + radius * Math.sin(turn)]
    }),
  )
  return path(points)
}

/** A leaf of spring steel bent over the pin, its four tongues pushing the pads apart. */
function spring() {
  const steelLeaf = steel.clone()
  steelLeaf.roughness = 0.22
  const leaf = new Shape()
  leaf.moveTo(3.6, 15)
  leaf.lineTo(-3.6, 15)
  leaf.lineTo(-3.6, 6.6)
  leaf.quadraticCurveTo(-3.8, 4.6, -6.4, 4.2)
  leaf.quadraticCurveTo(-10, 3.6, -12.4, 1.6)
  leaf.quadraticCurveTo(-14.4, 0, -17, 0.2)
  leaf.lineTo(-17.4, -1.4)
  leaf.quadraticCurveTo(-14, -2, -11.4, -0.4)
  leaf.quadraticCurveTo(-9, 1, -6, 1)
  leaf.lineTo(6, 1)
  leaf.quadraticCurveTo(9, 1, 11.4, -0.4)
  leaf.quadraticCurveTo(14, -2, 17.4, -1.4)
  leaf.lineTo(17, 0.2)
  leaf.quadraticCurveTo(14.4, 0, 12.4, 1.6)
  leaf.quadraticCurveTo(10, 3.6, 6.4, 4.2)
  leaf.quadraticCurveTo(3.8, 4.6, 3.6, 6.6)
  leaf.closePath()
  const bend = new Shape()
  bend.absarc(0, 0, 2.7, -0.27, Math.PI + 0.27, false)
  bend.absarc(0, 0, 2.2, Math.PI + 0.27, -0.27, true)
  bend.closePath()
  const lean = 0.27
  const legs = [1, -1].map((side) =>
    at(
      group(at(slab(leaf, 0.5, steelLeaf, { edge: 0.12 }), [0, -15, side * 2.45])),
      [0, 16.4, 0],
      [-side * lean, 0, 0],
    ),
  )
  return group(...legs, at(slab(bend, 7.2, steelLeaf, { edge: 0.12 }), [0, 16.4, 0], [0, quarter, 0]))
}

/** A pin of 4 mm that carries both pads, its head for a 3 mm key, with a clip at the other end. */
function pin() {
  const shank = lathe(
    [
      [0, -30],
      [1.6, -30],
      [2, -29.4],
      [2, -28],
      [1.5, -27.8],
      [1.5, -26.8],
      [2, -26.6],
      [2, -9],
      [2.5, -8.4],
      ...threads(2.6, -8.2, -0.6, 0.8, 0.4),
      [2.4, 0],
    ],
    plated,
    48,
  )
  return group(
    at(group(shank), [0, 0, 0], [quarter, 0, 0]),
    bolt({ radius: 3.6, height: 3.2, key: 3, material: plated }),
  )
}

/** Copper and iron in resin: brown-grey with flecks of metal, the same ones each time. */
function copperFilled() {
  const size = 512
  const { canvas, context } = canvasOf(size, size)
  context.fillStyle = '#4b4541'
  context.fillRect(0, 0, size, size)
  let seed = 11
  const next = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  const colours = ['#b8734a', '#8e5c3e', '#2c2a29', '#77706a', '#35302d', '#a39a90']
  for (let i = 0; i < 9000; i++) {
    context.fillStyle = colours[Math.floor(next() * colours.length)]!
    context.fillRect(next() * size, next() * size, 1 + next() * 3.5, 1 + next() * 3)
  }
  const map = textureOf(canvas)
  map.wrapS = map.wrapT = RepeatWrapping
  map.repeat.set(1 / 20, 1 / 20)
  return new MeshPhysicalMaterial({ map, bumpMap: map, bumpScale: 0.6, metalness: 0.25, roughness: 0.62 })
}
