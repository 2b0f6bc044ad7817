import { MeshPhysicalMaterial, Path, RepeatWrapping, Shape, Vector2, Vector3 } from 'three'
import { grain, plastic, polished, steel } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { outline, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { marked } from '#studio/shapes/prints.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import { skin } from '#studio/shapes/tubes.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const loops = 4
const coil = 78
const full = loops * 2 * Math.PI
/** Half the width of the tube laid flat, and half its thickness with a little air left in it. */
const [wide, thick] = [15.4, 3.9]
/** From which loop on the tube goes over the others, back from the outside of the coil to its inside. */
const crossing = 3.52

/** Where the valve stands on the tube: towards the middle of the coil, and a little up. */
const lean = 0.16

const butyl = new MeshPhysicalMaterial({
  color: '#232426',
  roughness: 0.52,
  sheen: 0.35,
  sheenRoughness: 0.6,
})

const bandRubber = new MeshPhysicalMaterial({ color: '#c8501e', roughness: 0.6, sheen: 0.2 })

/** A tube of 700C, nearly empty and flat, coiled in four loops; its valve of 48 mm points to the middle. */
export function innerTube(): Model {
  const body = skin(112, 2500, (u, v) => surface(v * full, (0.25 - u) * 2 * Math.PI), printed())
  const stem = group(valve())
  stem.position.copy(surface(0, Math.PI))
  stem.rotation.z = Math.PI / 2 - lean
  const ways = Array.from({ length: 800 }, (_, i) => (i / 800) * full)
  const floor = Math.min(...ways.flatMap((way) => outlineAt(way).map(([, y]) => y)))
  const cap = at(valveCap(), [-26, floor + 3.6, 2], [Math.PI / 2, 0, 0.7])
  return {
    object: group(body, stem, band(), cap),
    views: [
      { azimuth: 20, elevation: 46, fill: 0.88 },
      { azimuth: 24, elevation: 40, detail: { at: [38, 4, 0], width: 100 } },
    ],
  }
}

/** The tube cut at this point of its way: its middle outwards and up, and how far its outer face has turned upwards. */
function lie(way: number) {
  const loop = way / (2 * Math.PI)
  const over = Math.PI * smoothstep(loop, crossing, loops)
  const wave = 0.9 * Math.sin(way * 0.75 + 0.4) + 0.5 * Math.sin(way * 1.75)
  const bulge = 1 + 0.22 * Math.sin(2 * over) ** 2
  const out = over > 0 ? 14.4 * Math.cos(over) * bulge : -14.4 + (28.8 * loop) / crossing
  const up = 20.5 * Math.sin(over) * bulge + 1.4 * Math.sin(way * 1.25 + 1) * Math.cos(over) ** 2
  return {
    out: coil + out + wave * 0.6,
    up,
    tilt: over + 0.09 * Math.sin(way * 1.25) + 0.04 * Math.sin(way * 2.25),
  }
}

/** A point on the tube, `around` it from the middle of its outer face. */
function surface(way: number, around: number) {
  const [out, up] = section(way, around)
  return new Vector3(out * Math.cos(way), up, -out * Math.sin(way))
}

function section(way: number, around: number): Point2 {
  const { out, up, tilt } = lie(way)
  const near = Math.min(way, full - way) * (coil - 14)
  const soft = 1 + 0.12 * Math.sin(way * 2.75) + 0.08 * Math.sin(way * 4.5 + 2)
  const filled = thick * soft + 1.6 * smoothstep(near, 40, 0)
  const [c, s] = [Math.cos(around), Math.sin(around)]
  // Laid flat, its wall bends sharply at both edges, where the mould's seam runs.
  const face = Math.sign(c) * Math.abs(c) ** 0.86
  const seam = 0.35 * smoothstep(Math.abs(c), 0.06, 0.02)
  const edge = (wide - 0.9 * (soft - 1) * thick + seam) * s
  const inwards = -c * Math.cos(tilt)
  const patch = inwards > 0 ? 1.1 * smoothstep(Math.hypot(near / 1.6, edge), 9.6, 8.4) : 0
  const high = filled * face + Math.sign(c) * (puckers(way, inwards, edge) + patch)
  return [
    out + high * Math.cos(tilt) - edge * Math.sin(tilt),
    up + high * Math.sin(tilt) + edge * Math.cos(tilt),
  ]
}

/** The wall on the inside of the bend is too long for it and folds a little, more at some places than at others. */
function puckers(way: number, inwards: number, edge: number) {
  const inner = smoothstep(inwards, 0.05, 0.6) * smoothstep(Math.min(way, full - way), 0.3, 0.6)
  const some = 0.35 + 0.65 * Math.max(0, Math.sin(way * 1.75 + 1) + 0.5 * Math.sin(way * 5.25))
  const fold = Math.sin(way * 41 + 2.2 * Math.sin(way * 7) + edge * 0.07 * Math.sin(way * 9))
  return 0.55 * inner * some * (1 - Math.abs(fold)) ** 2
}

/** The outline of a cut: outwards from the middle of the coil, and up. */
function outlineAt(way: number) {
  return Array.from({ length: 96 }, (_, i) => section(way, (i / 96) * 2 * Math.PI))
}

/** Butyl with the maker's print along its middle, every 490 mm. */
function printed() {
  const around = 2 * (wide + thick) * 1.72
  const material = marked(
    butyl,
    [490, around],
    (pen) => {
      for (const [x, share, over] of [
        [300, 0.25, 0],
        [190, 0.75, Math.PI],
      ] as const) {
        pen.save()
        pen.translate(x, around * share)
        pen.rotate(over)
        pen.strokeStyle = '#8e9195'
        const end = write(pen, 'FERNHOLT', 0, 2.4, 4.8, 0.15)
        pen.strokeStyle = '#7a7d81'
        write(pen, '700 X 28-42C', end + 7, -0.8, 2.6, 0.13)
        write(pen, 'ETRTO 28-42-622  PRESTA 48', end + 7, 2.6, 2, 0.12)
        pen.restore()
      }
    },
    14,
  )
  material.map!.wrapS = material.map!.wrapT = RepeatWrapping
  material.map!.repeat.set(4, 1)
  const bumpMap = grain(128, 1)
  bumpMap.repeat.set(120, 5)
  return Object.assign(material, { bumpMap, bumpScale: 0.3 })
}

/** Presta, 48 mm from the tube up: the rubber at its foot, the threaded stem, the lock nut, the core with its own nut. */
function valve() {
  const foot = lathe(
    [
      [7.4, -1.2],
      [7, 0.2],
      [5.4, 0.9],
      [4.2, 2.2],
      [3.7, 4.4],
      [3.4, 4.8],
      [2.6, 4.8],
    ],
    butyl,
    64,
  )
  const stem: Point2[] = [
    [2.6, 0],
    [2.6, 5.4],
  ]
  for (let z = 5.4; z < 40; z += 0.8) stem.push([2.62, z + 0.08], [2.98, z + 0.4], [2.98, z + 0.5])
  stem.push([2.62, 40.6], [2.3, 41.2], [1.6, 41.2])
  const core = lathe(
    [
      [2.05, 40.8],
      [2.05, 43.8],
      [1.6, 44.4],
      [1.15, 44.6],
      [1.05, 45],
      [1.05, 50.2],
      [0.7, 50.7],
      [0, 50.7],
    ],
    polished,
    32,
  )
  const flats = at(plate(outline(key), 2.2, polished, 0.15), [0, 42.3, 0], [-Math.PI / 2, 0, 0.4])
  const nut = at(knurled(2.1, 3, 26, 1, 0.14), [0, 46.9, 0], [-Math.PI / 2, 0, 0])
  const lock = at(knurled(5.3, 3.2, 56, 2.9, 0.2), [0, 10, 0], [-Math.PI / 2, 0, 0])
  return group(foot, lathe(stem, steel, 48), core, flats, nut, lock)
}

/** Two flats for the key that unscrews the core. */
const key = [0, Math.PI].flatMap((side) =>
  [-0.55, -0.3, 0, 0.3, 0.55].map((turn): Point2 => {
    return [2.3 * Math.cos(side + turn), 2.3 * Math.sin(side + turn)]
  }),
)

/** The cap, which lies beside the valve. */
function valveCap() {
  const profile: Point2[] = [
    [2.7, 0.4],
    [3, 0],
    [3.4, 0],
    [3.6, 0.3],
    [3.6, 10],
    [3, 12.6],
    [2.1, 14.4],
    [2.1, 16.6],
    [1.7, 17],
    [0, 17],
  ]
  return lathe([[0, 9], [2.7, 8], ...profile], plastic, 48)
}

/** The band of rubber that holds the four loops together, opposite the valve. */
function band() {
  const way = 2.35
  const cuts = Array.from({ length: loops }, (_, i) => outlineAt(way + i * 2 * Math.PI)).flat()
  const hull = (away: number) =>
    Array.from({ length: 360 }, (_, i): Point2 => {
      const turn = (i / 360) * 2 * Math.PI
      const reach = Math.max(...cuts.map(([x, y]) => (x - coil) * Math.cos(turn) + y * Math.sin(turn)))
      return [reach + away, turn]
    })
  const shape = outline(tangents(hull(1.3)))
  shape.holes.push(new Path(tangents(hull(0.1)).map(([x, y]) => new Vector2(x, y))))
  const piece = plate(shape, 7, bandRubber, 0.3)
  return at(group(piece), [coil * Math.cos(way), 0, -coil * Math.sin(way)], [0, way, 0])
}

/** The outline whose tangent, for each angle, has this distance from the middle. */
function tangents(reach: Point2[]) {
  const count = reach.length
  return reach.map(([r, turn], i): Point2 => {
    const slope = ((reach[(i + 1) % count]![0] - reach[(i + count - 1) % count]![0]) * count) / (4 * Math.PI)
    return [r * Math.cos(turn) - slope * Math.sin(turn), r * Math.sin(turn) + slope * Math.cos(turn)]
  })
}

/** A round nut with a knurled edge, its axis z. */
function knurled(radius: number, high: number, teeth: number, bore: number, depth: number) {
  const shape = new Shape()
  for (let i = 0; i < teeth * 2; i++) {
    const turn = (i / (teeth * 2)) * 2 * Math.PI
    const r = i % 2 ? radius : radius - depth
    const [x, y] = [r * Math.cos(turn), r * Math.sin(turn)]
    if (i === 0) shape.moveTo(x, y)
    else shape.lineTo(x, y)
  }
  shape.holes.push(roundHole(0, 0, bore))
  return plate(shape, high, polished, 0.2)
}
