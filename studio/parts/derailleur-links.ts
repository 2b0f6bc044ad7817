import { CatmullRomCurve3, Mesh, type Object3D, TubeGeometry, Vector3 } from 'three'
import { alloy, anodised, darkSteel, steel } from '#studio/materials.ts'
import { cast } from '#studio/shapes/cast.ts'
import { figures } from '#studio/shapes/lettering.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import {
  blend,
  block,
  carve,
  common,
  moved,
  pillar,
  prism,
  ribbon,
  rounded,
  type Solid,
} from '#studio/shapes/solid.ts'
import { peg } from '#studio/shapes/turned.ts'
import { capScrew } from './derailleur-cage.ts'

/**
 * The parallelogram's own frame: x along the links from the upper pins to the lower ones, y along the pins, z outwards.
 * Both pairs of pins lie behind each other, so that the links carry the cage in and out under the cassette.
 */
const [rootX, rootY, slope] = [-27, -19, -0.733]
export const reach = 44
const [outerPin, innerPin] = [13, -1]

/** A piece of the parallelogram's frame in that of the derailleur: the mount bolt at the origin, seen from outside. */
export function onLinks(solid: Solid) {
  return moved(solid, [rootX, rootY, 0], [0, 0, slope])
}

export function withLinks(...pieces: Object3D[]) {
  return at(group(...pieces), [rootX, rootY, 0], [0, 0, slope])
}

/** A point of the derailleur in the parallelogram's frame. */
export function fromLinks([x, y]: Point2): Point2 {
  const [dx, dy] = [x - rootX, y - rootY]
  return [dx * Math.cos(slope) + dy * Math.sin(slope), dy * Math.cos(slope) - dx * Math.sin(slope)]
}

/** What a knuckle has for the links at x: a bar between the outer link's cheeks, two ears about the inner link, a back behind both. */
export function hinge(x: number, back: number): Solid {
  const way = Math.sign(back)
  const bar = pillar([x, -10.9, outerPin], [x, 10.9, outerPin], 5, 0.8)
  const ears = [-1, 1].map((side) => pillar([x, side * 10.2, innerPin], [x, side * 14, innerPin], 5.2, 0.8))
  const webs = [
    block([x + way * 4.5, 0, outerPin - 1.5], [10, 21.8, 8], 0.8),
    ...[-1, 1].map((side) => block([x + way * 4.5, side * 12.1, innerPin + 1], [10, 3.8, 10], 0.8)),
  ]
  return blend(1, ...ears, bar, ...webs, block([x + back, 0, 5.5], [11, 28, 21], 2.2))
}

/** Both links on their four pins, the spring between them, the ear with the cable's bolt. */
export function links() {
  const inner = cast(
    blend(
      1.5,
      block([reach / 2, 0, -3], [reach - 2, 18.6, 4], 1.4),
      ...[0, reach].map((x) => pillar([x, -9.6, innerPin], [x, 9.6, innerPin], 4.6, 0.6)),
    ),
    [
      [-7, -12, -8],
      [reach + 7, 12, 6],
    ],
    0.6,
    anodised,
  )
  const pins = [0, reach].flatMap((x) => [
    at(pin(16.2), [x, 0, outerPin], [Math.PI / 2, 0, 0]),
    at(pin(14.6), [x, 0, innerPin], [Math.PI / 2, 0, 0]),
  ])
  const name = at(figures('MERIDIAN', 4, darkSteel), [reach / 2, 0, 19.78])
  name.scale.z = 3
  return withLinks(outerLink(), inner, ...pins, spring(), cableBolt(), name)
}

function pin(long: number) {
  return peg(steel, 0, -long, 1.9, -long, 2.5, 0.6 - long, 2.5, long - 0.6, 1.9, long, 0, long)
}

/** A forged channel: a crowned face with the name on it, a cheek at both sides that holds the pins' ends. */
function outerLink() {
  const face: Point2[] = [
    [-7, -15.6],
    [24, -13.4],
    [reach + 7, -14.2],
    [reach + 7, 14.2],
    [24, 13.4],
    [-7, 15.6],
  ]
  const side = moved(
    prism(
      ribbon([
        [0, -outerPin - 0.4, 13],
        [reach, -outerPin - 0.4, 12.4],
      ]),
      60,
    ),
    [0, 0, 0],
    [-Math.PI / 2, 0, 0],
  )
  const crown: Solid = (x, y, z) => z - 19.8 + 0.013 * y * y + 0.0003 * (x - reach / 2) ** 2
  const outside = common(2, moved(prism(rounded(face, 4), 30, 0), [0, 0, 14]), common(0.2, side, crown))
  const ear = blend(2, pillar([21, -20, 9], [21, -20, 14], 6, 0.8), block([21, -16, 11.5], [12, 8, 5], 0.8))
  const solid = carve(
    0.5,
    blend(2, outside, ear),
    block([reach / 2, 0, 5], [90, 22.4, 23.6], 2),
    moved(
      prism(
        ribbon(
          [
            [reach / 2 - 9, 4],
            [reach / 2 + 9, 4],
          ],
          9,
        ),
        50,
      ),
      [0, 0, 0],
      [Math.PI / 2, 0, 0],
    ),
    pillar([21, -20, 0], [21, -20, 30], 2.6),
  )
  return cast(
    solid,
    [
      [-9, -28, 4],
      [reach + 9, 17, 22],
    ],
    0.45,
    alloy,
  )
}

/** The bolt that pinches the cable under its washer. */
function cableBolt() {
  const washer = peg(steel, 2.4, 0, 5, 0, 5, 1.2, 2.4, 1.2)
  return at(group(washer, at(capScrew(4, 4), [0, 0, 1.2])), [21, -20, 14])
}

/** Hooked on the pins at opposite corners. */
function spring() {
  const turns = 13
  const points = Array.from({ length: turns * 14 + 1 }, (_, i) => {
    const [share, turn] = [i / (turns * 14), (i / 14) * 2 * Math.PI]
    return new Vector3(9 + 26 * share, 3.6 * Math.cos(turn), 8 - 5 * share + 3.6 * Math.sin(turn))
  })
  const line = new CatmullRomCurve3([new Vector3(2, 0, 12), ...points, new Vector3(reach - 2, 0, 0)])
  return new Mesh(new TubeGeometry(line, turns * 28, 0.75, 10), steel)
}
