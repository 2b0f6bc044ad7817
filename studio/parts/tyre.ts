import { MeshPhysicalMaterial } from 'three'
import { rubber } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { canvasOf, print } from '#studio/shapes/prints.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { type Block, brick, type Casing, tread } from './tyre-tread.ts'

/** The bead seat of 622 mm. */
const bead = 311

/** The tops of the tread, as light as rubber gets, and the ground between them, which little light reaches. */
const knobs = rubber.clone()
knobs.color.set('#2f2f30')
knobs.roughness = 0.52
const between = rubber.clone()
between.color.set('#1b1b1c')

const tan = new MeshPhysicalMaterial({ color: '#8f6843', roughness: 0.72, sheen: 0.2 })

/** 61-622, open shoulders: pairs of ramped knobs in the middle, one between, tall ones at the sides. */
export function trailTyre(): Model {
  const casing: Casing = { ring: bead + 30, section: 29.2 }
  const blocks: Block[] = []
  const pitches = 72
  for (let i = 0; i < pitches; i++) {
    const turn = i / pitches
    const half = 0.5 / pitches
    for (const side of [-1, 1]) {
      const put = (outline: Point2[], height: number, across: number, on: number, draft = 0.6) =>
        blocks.push({
          outline: side < 0 ? outline.map(([x, y]): Point2 => [x, -y]).reverse() : outline,
          height,
          across: across * side,
          turn: on,
          draft,
        })
      // In the middle: a wide pair, then a narrow one, each cut once across.
      put(brick(6.5, 10, 1, 1.3), 3.8, 12, turn - 0.22 * half)
      put(brick(5.5, 10, 1, 1.3), 3.6, 12, turn + 0.24 * half)
      put(brick(11, 6.4, 1, -0.9), 3.8, 7.6, turn + half)
      // Between middle and side, every other one further out.
      put(brick(6.4, 8.6, 1, 1.6), 4, i % 2 ? 31.5 : 34.5, turn + 0.78 * half)
      put(brick(6.4, 8.6, 1, 1.6), 4, i % 2 ? 31.5 : 34.5, turn + 1.25 * half)
      // The sides: long and short, each with a cut along it.
      put(brick(14, 5, 1, 0), 4.6, 52.5, turn + 0.1 * half)
      put(brick(14, 4, 1, 0), 4.3, 63, turn + 0.1 * half, 0.9)
      put(brick(9.5, 9, 1, 0), 4.4, 56, turn + 1.08 * half, 0.9)
    }
  }
  const { canvas, context } = canvasOf(2560, 160)
  context.strokeStyle = '#d0d2d4'
  const end = write(context, 'BRAMBLE', 60, 124, 92, 0.17)
  context.fillStyle = '#c8501e'
  context.fillRect(end + 10, 32, 16, 92)
  context.strokeStyle = '#8f9296'
  write(context, 'FERNHOLT   29 X 2.4   61-622', end + 80, 118, 62, 0.13)
  const object = group(
    carcass(casing, 0.9, 70, rubber, between),
    tread(casing, blocks, knobs),
    ...prints(casing, canvas, [84, 122], 52),
  )
  return lying(object, [
    { azimuth: 20, elevation: 40, fill: 0.93 },
    { azimuth: 30, elevation: 22, roll: 16, detail: { at: [90, 0, 355], width: 126 } },
  ])
}

/** 45-622: a closed file of small diamonds in the middle, blocks at the sides, the wall tan. */
export function gravelTyre(): Model {
  const casing: Casing = { ring: bead + 22, section: 21.4 }
  const blocks: Block[] = []
  const pitches = 360
  const diamond: Point2[] = [
    [-2.6, 0],
    [0, -1.75],
    [2.6, 0],
    [0, 1.75],
  ]
  for (let i = 0; i < pitches; i++) {
    for (let row = -4; row <= 4; row++) {
      const turn = (i + (row % 2 ? 0.5 : 0)) / pitches
      blocks.push({ outline: diamond, height: 1.5, across: row * 5.6, turn, draft: 0.3 })
    }
    if (i % 3) continue
    for (const side of [-1, 1]) {
      const put = (long: number, wide: number, across: number, on: number, height: number) =>
        blocks.push({ outline: brick(long, wide, 0.9), height, across: across * side, turn: on / pitches })
      put(6.2, 4, 33, i, 1.9)
      put(6.2, 4, 33, i + 1.5, 1.7)
      put(9, 4.6, 47, i + 0.75, 2.4)
      put(5.5, 4.2, 60, i + 2.2, 2.4)
    }
  }
  const { canvas, context } = canvasOf(2176, 128)
  context.strokeStyle = '#2a1c10'
  const end = write(context, 'DROVER', 60, 104, 80, 0.17)
  write(context, 'FERNHOLT   700 X 45   45-622', end + 70, 96, 52, 0.13)
  const object = group(
    carcass(casing, 0.7, 69, tan, between),
    tread(casing, blocks, knobs),
    ...prints(casing, canvas, [82, 118], 40),
  )
  return lying(object, [
    { azimuth: 20, elevation: 40, fill: 0.93 },
    { azimuth: 30, elevation: 24, roll: 16, detail: { at: [86, 0, 340], width: 110 } },
  ])
}

function lying(object: ReturnType<typeof group>, views: Model['views']): Model {
  object.rotation.set(-Math.PI / 2, 0, 0)
  return { object: group(object), views }
}

/** The print on the wall between two angles from the crown, twice around. */
function prints({ ring, section }: Casing, canvas: HTMLCanvasElement, [from, to]: Point2, long: number) {
  const profile = Array.from({ length: 13 }, (_, i): Point2 => {
    const turn = ((from + ((to - from) * i) / 12) * Math.PI) / 180
    return [ring + (section - 0.2) * Math.cos(turn), (section - 0.2) * Math.sin(turn)]
  })
  return [0.25, Math.PI + 0.25].map((turn) => {
    const piece = print(profile, long, canvas)
    piece.rotation.z = turn
    return piece
  })
}

/** The casing from bead to bead, open at the bottom: the walls, and the cap of the tread out to `edge` degrees. */
function carcass(
  { ring, section }: Casing,
  thick: number,
  edge: number,
  wall: MeshPhysicalMaterial,
  cap: MeshPhysicalMaterial,
) {
  const last = 138
  const point = (radius: number, across: number): Point2 => {
    const turn = (across * Math.PI) / 180
    return [ring + radius * Math.cos(turn), radius * Math.sin(turn)]
  }
  const arc = (radius: number, from: number, to: number, steps: number) =>
    Array.from({ length: steps + 1 }, (_, i) => point(radius, from + ((to - from) * i) / steps))
  const wheelwise = (profile: Point2[], material: MeshPhysicalMaterial) =>
    at(lathe(profile, material, 320), [0, 0, 0], [Math.PI / 2, 0, 0])
  const inside = wheelwise(arc(section - thick, last, -last, 48), rubber)
  const walls = [
    wheelwise(arc(section - 0.35, -last, -edge, 20), wall),
    wheelwise(arc(section - 0.35, edge, last, 20), wall),
  ]
  const top = wheelwise(
    [point(section - 0.4, -edge - 0.6), ...arc(section, -edge, edge, 60), point(section - 0.4, edge + 0.6)],
    cap,
  )
  const beads = [-1, 1].map((side) => {
    const [r, z] = point(section - thick / 2, side * (last + 3))
    const round = Array.from({ length: 25 }, (_, i): Point2 => {
      const turn = (i / 24) * 2 * Math.PI
      return [r + 2.1 * Math.cos(turn), z + 2.1 * Math.sin(turn)]
    })
    return wheelwise(round, rubber)
  })
  return group(inside, ...walls, top, ...beads)
}
