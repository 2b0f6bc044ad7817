import { type Drawing, type Point, paint, picture, placed } from './drawing.ts'
import { faceHoles, type Section, turned } from './fittings.ts'

const { alloyTube, steelTube, darkTube, accentTube, steel, dark, alloy } = paint

/** A rear hub, near end the freehub body; far end the disc mount. */
export function rearHub({ holes }: { holes: number }): Drawing {
  const shell: Section[] = [
    { length: 44, radius: 44, paint: steelTube },
    { length: 34, radius: 84, paint: alloyTube, rings: 2, face: alloy },
    { length: 40, radius: 66, paint: darkTube, face: dark },
    { length: 24, radius: 176, paint: darkTube, face: dark },
  ]
  const barrel: Section[] = [
    { length: 70, radius: 104, endRadius: 72, paint: darkTube },
    { length: 130, radius: 72, paint: darkTube, rings: 1 },
    { length: 18, radius: 76, paint: accentTube },
    { length: 80, radius: 74, endRadius: 120, paint: darkTube },
    { length: 26, radius: 186, paint: darkTube, face: dark },
  ]
  const drive: Section[] = [
    { length: 26, radius: 124, endRadius: 110, paint: darkTube, face: dark },
    { length: 14, radius: 104, paint: accentTube },
    { length: 196, radius: 98, paint: alloyTube, face: alloy, splines: 13 },
    { length: 16, radius: 84, paint: steelTube, face: steel, rings: 3 },
    { length: 46, radius: 46, endRadius: 42, paint: darkTube, face: steel, bore: 28 },
  ]
  const shellEnd = span([218, 450], shell)
  const barrelEnd = span(shellEnd, barrel)
  return enlarged(
    turned([218, 450], shell),
    faceHoles(shellEnd, 154, 9, holes / 2),
    turned(shellEnd, barrel),
    faceHoles(barrelEnd, 164, 9, holes / 2),
    turned(barrelEnd, drive),
  )
}

/** A front hub, near end the six-bolt disc mount. */
export function frontHub({ holes }: { holes: number }): Drawing {
  const left: Section[] = [
    { length: 60, radius: 48, endRadius: 54, paint: steelTube },
    { length: 26, radius: 74, paint: darkTube, face: dark },
    { length: 24, radius: 170, paint: darkTube, face: dark },
  ]
  const barrel: Section[] = [
    { length: 100, radius: 110, endRadius: 68, paint: darkTube },
    { length: 170, radius: 68, paint: darkTube },
    { length: 16, radius: 72, paint: accentTube },
    { length: 90, radius: 68, endRadius: 112, paint: darkTube },
    { length: 24, radius: 184, paint: darkTube, face: dark },
  ]
  const near: Section[] = [
    { length: 44, radius: 112, endRadius: 92, paint: darkTube, face: dark },
    { length: 26, radius: 132, paint: alloyTube, face: alloy },
    { length: 26, radius: 74, paint: steelTube, face: steel, rings: 2 },
    { length: 56, radius: 54, endRadius: 50, paint: darkTube, face: steel, bore: 34 },
  ]
  const leftEnd = span([270, 450], left)
  const barrelEnd = span(leftEnd, barrel)
  const mount = span(barrelEnd, near.slice(0, 2))
  return enlarged(
    turned([270, 450], left),
    faceHoles(leftEnd, 148, 9, holes / 2),
    turned(leftEnd, barrel),
    faceHoles(barrelEnd, 162, 9, holes / 2),
    turned(barrelEnd, near.slice(0, 2)),
    faceHoles(mount, 104, 11, 6),
    turned(mount, near.slice(2)),
  )
}

function enlarged(...parts: string[]): Drawing {
  return picture(placed(parts.join(''), [-102, -72], 0, 1.17))
}

function span([x, y]: Point, sections: Section[]): Point {
  return [x + sections.reduce((sum, { length }) => sum + length, 0), y]
}
