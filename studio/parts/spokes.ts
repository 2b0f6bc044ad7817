import { Group, Vector3 } from 'three'
import { steel } from '#studio/materials.ts'
import { group } from '#studio/shapes/pieces.ts'
import { nipple, screwed, spoke } from '#studio/shapes/spoke.ts'
import type { Model } from '#studio/view.ts'

/** Drawn stainless steel, bright as it comes. */
const stainless = steel.clone()
stainless.color.set('#a3a6aa')
stainless.roughness = 0.2

const long = 264
const from = 150

/** Six spokes of 264 mm laid out as a fan, every other one turned about, with their nipples on. */
export function spokes(): Model {
  const object = group(...Array.from({ length: 6 }, (_, i) => one(i)))
  return {
    object,
    views: [
      { azimuth: -24, elevation: 58, fill: 0.95 },
      { azimuth: -20, elevation: 40, detail: { at: [169, 1, 5], width: 84 } },
    ],
  }
}

/** Lying flat from x = `from` outwards; the bend of each lies on its side. */
function one(i: number) {
  const about = i % 2 === 1
  const hole = new Vector3(about ? from + long : from, 1, 0)
  const end = new Vector3(about ? from : from + long, 1, 0)
  const through = new Vector3(0, 0, -1)
  const laid = new Group()
  const wire = spoke({ hole, through, end: end.clone().setZ(through.z * 3.4) }, stainless, 24)
  const tip = end.clone().setZ(through.z * 3.4)
  laid.add(wire, screwed(nipple(), hole.clone().setZ(through.z * 3.4), tip, 4))
  laid.rotation.y = ((i - 2.5) / 5) * 0.42
  return laid
}
