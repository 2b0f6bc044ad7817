import { MeshPhysicalMaterial, Path, RepeatWrapping, Shape, Vector2, Vector3 } from 'three'
import { grain, plastic, polished, steel } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { outline, roundHole } from '#studio/shapes/outlines.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { canvasOf, textureOf } from '#studio/shapes/prints.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import { swept } from '#studio/shapes/swept.ts'
import { lathe } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'

const loops = 4
const coil = 79
const tube = 10.6
const spread = 15.6

const count = 1100
const full = loops * 2 * Math.PI

/** Where the valve stands on the tube: towards the middle of the coil, and a little up. */
const lean = 0.3
const valveWay = new Vector3(-Math.cos(lean), Math.sin(lean), 0)

const butyl = new MeshPhysicalMaterial({
  color: '#1d1e20',
  roughness: 0.44,
  sheen: 0.25,
  sheenRoughness: 0.5,
})

const bandRubber = new MeshPhysicalMaterial({ color: '#c8501e', roughness: 0.6, sheen: 0.2 })

/** A tube of 700C, a little air in it, coiled in four loops; its valve of 48 mm points to the middle. */
export function innerTube(): Model {
  const stations = Array.from({ length: count }, (_, i) => lie((i / count) * full))
  const body = swept(stations, (i, turn, out) => skin((i / count) * full, turn, out), printed(), {
    sides: 72,
    closed: true,
  })
  const root = lie(0)
  const stem = group(at(valve(), [0, tube + 1, 0]))
  stem.position.copy(root)
  stem.rotation.z = Math.PI / 2 - lean
  const floor = Math.min(...stations.map(({ y }) => y)) - tube - 0.2
  const cap = at(valveCap(), [-12, floor + 3.6, 22], [Math.PI / 2, 0, 0.9])
  return {
    object: group(body, stem, band(), cap),
    views: [
      { azimuth: 20, elevation: 50, fill: 0.9 },
      { azimuth: 24, elevation: 42, detail: { at: [40, 16, 0], width: 100 } },
    ],
  }
}

/** Where the middle of the tube lies: four strands that turn slowly about each other, none quite like the next. */
function lie(way: number) {
  const twist = way / loops + Math.PI - 0.6
  const radius = coil + 1.6 * Math.sin((2 / loops) * way + 0.6) + 0.7 * Math.sin((5 / loops) * way)
  const out = radius + spread * Math.cos(twist)
  return new Vector3(out * Math.cos(way), spread * Math.sin(twist), -out * Math.sin(way))
}

/** Butyl with the maker's print along it, every 480 mm. */
function printed() {
  const { canvas, context } = canvasOf(4096, 640)
  context.fillStyle = '#1d1e20'
  context.fillRect(0, 0, 4096, 640)
  for (const [x, y] of [
    [200, 180],
    [1100, 500],
  ] as const) {
    context.strokeStyle = '#9fa2a6'
    const end = write(context, 'FERNHOLT', x, y, 54, 0.17)
    context.strokeStyle = '#7f8286'
    write(context, '700 X 28-42   PRESTA 48', end + 70, y, 44, 0.14)
  }
  const map = textureOf(canvas)
  map.wrapS = map.wrapT = RepeatWrapping
  map.repeat.set(4, 1)
  const bumpMap = grain(128, 1)
  bumpMap.repeat.set(90, 4)
  const material = butyl.clone()
  Object.assign(material, { map, bumpMap, bumpScale: 0.25 })
  material.color.set('#ffffff')
  return material
}

/** The tube's outside: not quite round, the fine seams that the mould leaves, and the patch that holds the valve. */
function skin(way: number, turn: number, out: Vector3) {
  const soft = 0.25 * Math.sin((7 / loops) * way) + 0.2 * Math.sin((11 / loops) * way + 2)
  const seam = Math.max(0, 1 - Math.abs(Math.sin(turn)) / 0.08) * 0.3
  const along = Math.min(way, full - way) * (coil - 10)
  const across = Math.acos(Math.min(1, out.dot(valveWay))) * tube
  const off = Math.hypot(along / 1.5, across)
  const patch = 2.4 * smoothstep(off, 13, 2.8)
  return tube + soft * Math.cos(2 * turn) + (off < 14 ? 0 : seam) + patch
}

/** The valve, 48 mm from the tube up: the threaded stem, the lock nut, the core with its own nut. */
function valve() {
  const stem: Point2[] = [[2.55, 0]]
  for (let z = 3; z < 42; z += 0.8) stem.push([2.6, z], [3, z + 0.35], [3, z + 0.45])
  stem.push([2.6, 42.6], [2.3, 43], [1.6, 43], [1.6, 43.6])
  const core = lathe(
    [
      [1.5, 43],
      [1.9, 43.6],
      [1.9, 44.4],
      [1.2, 44.8],
      [1.05, 45.1],
      [1.05, 50.8],
      [0.75, 51.2],
      [0, 51.2],
    ],
    polished,
    32,
  )
  const nut = at(knurled(2.1, 3, 28), [0, 46.6, 0], [-Math.PI / 2, 0, 0])
  const lock = at(knurled(5.6, 4.4, 48, 3), [0, 9, 0], [-Math.PI / 2, 0, 0])
  return group(lathe(stem, steel, 48), core, nut, lock)
}

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
  const way = 2.5
  const hull = (radius: number) =>
    Array.from({ length: 160 }, (_, i): Point2 => {
      const turn = (i / 160) * 2 * Math.PI
      const reach =
        Math.max(...strands(way).map(([x, y]) => x * Math.cos(turn) + y * Math.sin(turn))) + radius
      return [reach, turn]
    })
  const shape = outline(tangents(hull(tube + 1.8)))
  shape.holes.push(new Path(tangents(hull(tube + 0.6)).map(([x, y]) => new Vector2(x, y))))
  const piece = plate(shape, 7, bandRubber, 0.4)
  const turned = at(group(piece), [coil * Math.cos(way), 0, -coil * Math.sin(way)], [0, way, 0])
  return turned
}

/** The four loops cut at this angle of the coil: [outwards, up] from the bundle's middle. */
function strands(way: number) {
  return Array.from({ length: loops }, (_, i): Point2 => {
    const { x, y, z } = lie(way + i * 2 * Math.PI)
    return [Math.hypot(x, z) - coil, y]
  })
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
function knurled(radius: number, high: number, teeth: number, bore = 1) {
  const shape = new Shape()
  for (let i = 0; i < teeth * 2; i++) {
    const turn = (i / (teeth * 2)) * 2 * Math.PI
    const r = i % 2 ? radius : radius - 0.28
    const [x, y] = [r * Math.cos(turn), r * Math.sin(turn)]
    if (i === 0) shape.moveTo(x, y)
    else shape.lineTo(x, y)
  }
  shape.holes.push(roundHole(0, 0, bore))
  return plate(shape, high, polished, 0.3)
}
