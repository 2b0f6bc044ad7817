import { type Material, MeshPhysicalMaterial } from 'three'
import { steel } from '#studio/materials.ts'
import { at, group } from './pieces.ts'
import { lathe } from './turned.ts'

/** The lip of a bearing's seal. */
export const seal = new MeshPhysicalMaterial({ color: '#26282b', roughness: 0.55 })

/** A cartridge bearing around the z axis, in the middle of z. */
export function bearing(inner: number, outer: number, width: number, lip: Material = seal) {
  const [a, b, h] = [inner / 2, outer / 2, width / 2]
  const ring = Math.max((b - a) * 0.2, 0.9)
  const race = (from: number, to: number) =>
    lathe(
      [
        [from, -h + 0.3],
        [from + 0.3, -h],
        [to - 0.3, -h],
        [to, -h + 0.3],
        [to, h - 0.3],
        [to - 0.3, h],
        [from + 0.3, h],
        [from, h - 0.3],
        [from, -h + 0.3],
      ],
      steel,
    )
  const side = lathe(
    [
      [b - ring + 0.1, h - 0.5],
      [b - ring - 0.2, h - 0.2],
      [b - ring - 0.6, h - 0.3],
      [a + ring + 0.9, h - 0.3],
      [a + ring + 0.3, h - 0.25],
      [a + ring - 0.1, h - 0.5],
    ],
    lip,
  )
  const back = side.clone()
  back.rotation.x = Math.PI
  const whole = group(race(a, a + ring), race(b - ring, b), side, back)
  return group(at(whole, [0, 0, 0], [Math.PI / 2, 0, 0]))
}
