import { CylinderGeometry, Mesh, Shape } from 'three'
import { steel } from '#studio/materials.ts'
import { hollow } from './bolts.ts'
import { disc, hexagon, path } from './outlines.ts'
import { at, group } from './pieces.ts'
import { slab } from './slab.ts'
import { lathe, threads } from './turned.ts'

/** What is seen of a pedal's axle, along +x from where it leaves the body: flats for 15 mm, a 9/16 inch thread. */
export function pedalAxle() {
  const shaft = lathe(
    [
      [7.9, -2],
      [7.9, 1.4],
      [7.6, 1.9],
      [7.4, 2],
      [7.4, 4],
    ],
    steel,
    64,
  )
  const thread = lathe(
    [
      [9.6, 9],
      [10, 9.4],
      [10, 10.6],
      [9.6, 11],
      [6.3, 11],
      ...threads(7.14, 11.8, 24, 1.27, 0.75),
      [5.9, 25.2],
      [4, 25.2],
    ],
    steel,
    64,
  )
  const across = Math.acos(7.5 / 9.6)
  const spanner = new Shape()
  spanner.absarc(0, 0, 9.6, across, Math.PI - across, false)
  spanner.absarc(0, 0, 9.6, Math.PI + across, 2 * Math.PI - across, false)
  spanner.closePath()
  const end = disc(5.6)
  end.holes.push(path(hexagon(6)))
  return group(
    at(group(shaft, thread), [0, 0, 0], [0, 0, -Math.PI / 2]),
    at(slab(spanner, 5, steel, { edge: 0.5 }), [6.5, 0, 0], [0, Math.PI / 2, 0]),
    at(slab(end, 4, steel, { edge: 0.4 }), [23.3, 0, 0], [0, Math.PI / 2, 0]),
    at(new Mesh(new CylinderGeometry(5, 5, 1, 24), hollow), [22, 0, 0], [0, 0, Math.PI / 2]),
  )
}

/** A pin of 4 mm, threaded in from behind, 4.5 mm proud. */
export function pedalPin() {
  return lathe(
    [[0, -6], [2.2, -6], [2.2, 0.4], ...threads(2.1, 0.6, 4.6, 0.7, 0.3), [1.6, 5.2], [0, 5.2]],
    steel,
    24,
  )
}
