import { CylinderGeometry, type Material, Mesh, MeshPhysicalMaterial } from 'three'
import { steel } from '#studio/materials.ts'
import { disc, hexagon, path, sixLobes } from './outlines.ts'
import { at, group } from './pieces.ts'
import { slab } from './slab.ts'
import { threads, turnedZ } from './turned.ts'

/** The black of a deep hole. */
export const hollow = new MeshPhysicalMaterial({ color: '#0b0c0e', roughness: 0.9 })

/** Bolts as they come with black oxide. */
const blackBolt = new MeshPhysicalMaterial({ color: '#3a3d42', metalness: 1, roughness: 0.34 })

interface BoltForm {
  /** The head. */
  radius: number
  height: number
  /** The key's size, and whether it has six lobes rather than flats. */
  key: number
  lobes?: boolean
  /** The shank below the head, if it is seen. */
  shank?: { radius: number; length: number; thread?: number }
  material?: Material
}

/** A bolt whose head looks along +z, its underside at z = 0. */
export function bolt({ radius, height, key, lobes, shank, material = blackBolt }: BoltForm) {
  const head = disc(radius)
  head.holes.push(path(lobes ? sixLobes(key) : hexagon(key)))
  const whole = group(
    at(slab(head, height, material, { edge: Math.min(0.5, height / 3), steps: 4, curve: 32 }), [
      0,
      0,
      height / 2,
    ]),
    at(
      new Mesh(new CylinderGeometry(radius * 0.8, radius * 0.8, height * 0.3, 32), hollow),
      [0, 0, height * 0.16 + 0.02],
      [Math.PI / 2, 0, 0],
    ),
  )
  if (shank) {
    const { thread = shank.length } = shank
    const turned = turnedZ(
      [
        [0, -shank.length],
        [shank.radius - 0.6, -shank.length],
        ...threads(shank.radius, -shank.length + 0.6, thread - shank.length, 0.8),
        [shank.radius, thread - shank.length],
        [shank.radius, 0],
        [0, 0],
      ],
      material,
      64,
    )
    whole.add(turned)
  }
  return whole
}

/** A screw of this diameter, as long as `shank` below its head of `head`. */
export function screw(diameter: number, shank: number, material: Material = steel, head = diameter) {
  const [radius, key] = [diameter * 0.85, diameter * 0.8]
  return bolt({ radius, height: head, key, shank: { radius: diameter / 2, length: shank }, material })
}
