import { Path, Shape } from 'three'
import { accent, alloy, plastic } from '#studio/materials.ts'
import { at, group, type Point2 } from '#studio/shapes/pieces.ts'
import { plate } from '#studio/shapes/plate.ts'
import { turnedZ } from '#studio/shapes/turned.ts'
import type { Model } from '#studio/view.ts'
import { axleEnd, discMount, type HubSize, mark, ring, shell } from './hub-shell.ts'

/** 15 x 110 mm, 32 holes, six-bolt disc mount, on two bearings of 15 x 28 x 7. */
export function frontHub(): Model {
  const size: HubSize = {
    holes: 32,
    width: 110,
    bore: 7.5,
    discFlange: 27,
    otherFlange: -36,
    disc: 44.5,
    otherEnd: -45,
  }
  const hub = group(
    shell(size),
    mark(size),
    discMount(size),
    axleEnd(size, 1, size.disc + 1.6),
    axleEnd(size, -1, -size.otherEnd),
    ring(19.5, -41.5, 1.4, accent),
  )
  return {
    object: group(hub),
    views: [
      { azimuth: 38, elevation: 24, fill: 0.86 },
      { azimuth: 136, elevation: 22, fill: 0.88 },
    ],
  }
}

/** 12 x 148 mm, 32 holes, six-bolt disc mount, an HG-splined freehub body in bright alloy. */
export function rearHub(): Model {
  const size: HubSize = {
    holes: 32,
    width: 148,
    bore: 6,
    discFlange: 38,
    otherFlange: -22,
    disc: 58.7,
    otherEnd: -28.5,
  }
  const hub = group(
    shell(size),
    mark(size),
    discMount(size),
    axleEnd(size, 1, size.disc + 1.6),
    freehub(-30, -66.5),
    axleEnd(size, -1, 60.5, 9.6),
    ring(19.6, -27.2, 1.6, accent),
  )
  return {
    object: group(hub),
    views: [
      { azimuth: 142, elevation: 24, fill: 0.88 },
      { azimuth: 40, elevation: 24, fill: 0.88 },
    ],
  }
}

/** The freehub body from its inner end to its outer one: nine splines, one of them narrow, 34.8 mm across. */
function freehub(inner: number, outer: number) {
  const shape = splines()
  shape.holes.push(new Path().absarc(0, 0, 13.9, 0, 2 * Math.PI, true) as Path)
  const long = inner - 2.4 - outer
  const skirt = turnedZ(
    [
      [14, inner - 3],
      [18.6, inner - 3],
      [19, inner - 2.6],
      [19, inner - 0.3],
      [18.7, inner],
      [14, inner],
    ],
    alloy,
  )
  const lip = turnedZ(
    [
      [17.6, inner - 0.5],
      [18, inner + 0.2],
      [17.6, inner + 1.8],
    ],
    plastic,
  )
  const mouth = turnedZ(
    [
      ...Array.from({ length: 16 }, (_, i): Point2 => [i % 2 ? 14.1 : 13.7, outer + 7.5 - i * 0.5]).reverse(),
      [13.7, outer + 8],
      [10, outer + 8],
    ],
    alloy,
  )
  return group(at(plate(shape, long, alloy, 0.5, 40), [0, 0, outer + long / 2]), skirt, lip, mouth)
}

function splines() {
  const shape = new Shape()
  const degrees = Math.PI / 180
  for (let i = 0; i < 9; i++) {
    const half = i === 0 ? 7 : 11.5
    const middle = i * 40
    shape.absarc(0, 0, 17.4, (middle - half) * degrees, (middle + half) * degrees, false)
    const next = i === 8 ? 353 : middle + 40 - 11.5
    shape.absarc(0, 0, 15.9, (middle + half + 0.8) * degrees, (next - 0.8) * degrees, false)
  }
  return shape
}
