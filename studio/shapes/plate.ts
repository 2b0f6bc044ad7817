import { ExtrudeGeometry, LineCurve, type Material, Mesh, Path, Shape } from 'three'
import { smooth } from './smooth.ts'

/**
 * A plate cut along an outline in the xy plane, its front at z = depth / 2, with its edges broken by `bevel`. Curves are
 * as fine as their size asks for, unless `curveSegments` says how fine.
 */
export function plate(
  outline: Shape,
  depth: number,
  material: Material,
  bevel = 0.3,
  curveSegments?: number,
) {
  const geometry = new ExtrudeGeometry(curveSegments ? outline : finely(outline), {
    depth: depth - 2 * bevel,
    bevelEnabled: bevel > 0,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelSegments: Math.min(6, Math.max(2, Math.ceil(bevel * 2))),
    curveSegments: curveSegments ?? 12,
  })
  geometry.translate(0, 0, -depth / 2 + bevel)
  return new Mesh(smooth(geometry, 0.85, true), material)
}

/** The same outline of short straight lines: no more than 0.02 mm off. */
function finely(shape: Shape) {
  const fine = new Shape(straight(shape))
  fine.holes = shape.holes.map((hole) => new Path(straight(hole)))
  return fine
}

function straight(path: Path) {
  const points = path.curves.flatMap((curve) => {
    if (curve instanceof LineCurve) return [curve.v1, curve.v2]
    return curve.getPoints(Math.max(4, Math.ceil(6 * Math.sqrt(curve.getLength()))))
  })
  return points.filter((point, i) => point.distanceTo(points[(i || points.length) - 1]!) > 0.001)
}
