import type { Curve, Vector3 } from 'three'
import { anodised } from '#studio/materials.ts'
import { write } from '#studio/shapes/lettering.ts'
import { at, group, type Point3 } from '#studio/shapes/pieces.ts'
import { marked } from '#studio/shapes/prints.ts'
import { smoothstep } from '#studio/shapes/smoothstep.ts'
import { bent, type Corner, openEnd, tube } from '#studio/shapes/tubes.ts'
import type { Model } from '#studio/view.ts'

const degrees = Math.PI / 180

/** A bar of 780 mm: 25 mm of rise, 8 degrees back and 5 up, from 31.8 mm at the clamp to 22.2 at the grips. */
export function riserBar(): Model {
  const [back, up] = [Math.tan(8 * degrees), Math.tan(5 * degrees)]
  const line = mirrored([
    [52, 0, 0, 30],
    [132, 25, -4, 50],
    [390, 25 + 258 * up, -4 - 258 * back, 0],
  ])
  const length = line.getLength()
  const radius = (t: number) => {
    const away = Math.abs(t - 0.5) * length
    return 11.1 + 4.8 * smoothstep(away, 175, 50)
  }
  const finish = marked(anodised, [length, 100], (pen) => {
    clampMarks(pen, length / 2, 100)
    for (const [end, way] of [
      [0, 1],
      [length, -1],
    ] as const)
      trimMarks(pen, end, way)
  })
  const bar = group(
    tube(line, radius, finish, { steps: 700, sides: 64, side: [0, 0, 1] }),
    ...openEnds(line, 11.1),
  )
  return {
    object: group(at(bar, [0, 0, 0], [0.12, 0, 0])),
    views: [
      { azimuth: 38, elevation: 26, roll: -16, fill: 0.93 },
      { azimuth: 28, elevation: 30, roll: -8, detail: { at: [25, 10, 0], width: 270 } },
    ],
  }
}

/** A drop bar: 440 mm at the hoods, 520 at the ends, 70 mm of reach and 116 of drop, 16 degrees of flare. */
export function dropBar(): Model {
  const flare = Math.tan(16 * degrees)
  const side = (x: number, y: number, z: number): Point3 => [x + -y * flare, y, z]
  const line = mirrored([
    [213, 0, -2, 26],
    [...side(220, -5, 71), 46],
    [...side(220, -117, 64), 63],
    [...side(220, -121, -62), 0],
  ])
  const length = line.getLength()
  const radius = (t: number, u: number) => {
    const away = Math.abs(t - 0.5) * length
    const groove = smoothstep(away, 88, 100) * smoothstep(away, 190, 170)
    const around = Math.min(Math.abs(u - 0.13), Math.abs(u - 0.87)) * 24
    return 11.9 + 4 * smoothstep(away, 95, 45) - 1.7 * groove * smoothstep(around, 1.6, 0.6)
  }
  const finish = marked(anodised, [length, 100], (pen) => clampMarks(pen, length / 2, 100), 3)
  const bar = group(tube(line, radius, finish, { steps: 900, sides: 72 }), ...openEnds(line, 11.9))
  return {
    object: bar,
    views: [
      { azimuth: 48, elevation: 30, fill: 0.9 },
      { azimuth: -64, elevation: 18, fill: 0.88 },
    ],
  }
}

/** A bar's middle from its left end to its right one, by the corners of its right half. */
function mirrored(right: Corner[]) {
  return bent([...right.map(([x, y, z, rounded]): Corner => [-x, y, z, rounded]).reverse(), ...right])
}

/** Both ends of a bar, their wall 1.9 mm thick. */
function openEnds(line: Curve<Vector3>, radius: number) {
  return [0, 1].map((t) =>
    openEnd(line.getPoint(t), line.getTangent(t).multiplyScalar(t * 2 - 1), radius, 1.9, anodised),
  )
}

/** A knurled band for the stem with a scale at each of its edges. */
function clampMarks(pen: CanvasRenderingContext2D, middle: number, around: number) {
  pen.lineWidth = 0.25
  pen.globalAlpha = 0.55
  for (let x = -22; x <= 22; x += 1.1) line(pen, middle + x, 0, middle + x, around)
  pen.globalAlpha = 1
  pen.lineWidth = 0.5
  for (const way of [-1, 1]) {
    line(pen, middle + way * 24, 0, middle + way * 24, around)
    for (let y = 0; y < around; y += 2.5)
      line(pen, middle + way * 24, y, middle + way * (y % 12.5 === 0 ? 30 : 27), y)
  }
}

/** Where to cut: a scale in steps of 5 mm and rings for 760, 740 and 720 mm. */
function trimMarks(pen: CanvasRenderingContext2D, end: number, way: number) {
  pen.lineWidth = 0.5
  for (const [i, width] of [760, 740, 720].entries()) {
    const x = end + way * (i + 1) * 10
    line(pen, x, 0, x, 100)
    write(pen, String(width), x + (way > 0 ? 1.2 : -7.2), 13, 2.25, 0.15)
  }
}

function line(pen: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.stroke()
}
