import {
  CanvasTexture,
  LatheGeometry,
  Mesh,
  MeshPhysicalMaterial,
  type MeshPhysicalMaterialParameters,
  SRGBColorSpace,
  Vector2,
} from 'three'
import { at, group, type Point2 } from './pieces.ts'

export function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  return { canvas, context: canvas.getContext('2d')! }
}

export function textureOf(canvas: HTMLCanvasElement) {
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.anisotropy = 8
  return texture
}

/**
 * A print on a side that is turned around z and seen from +z: its profile from the outside in, its middle at the top
 * of the wheel unless turned, `long` degrees of it.
 */
export function print(
  profile: Point2[],
  long: number,
  canvas: HTMLCanvasElement,
  more: MeshPhysicalMaterialParameters = {},
  rotation = Math.PI,
) {
  const texture = textureOf(canvas)
  texture.center.set(0.5, 0.5)
  texture.rotation = rotation
  const material = new MeshPhysicalMaterial({
    map: texture,
    transparent: true,
    roughness: 0.5,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
    ...more,
  })
  const points = profile.map(([radius, height]) => new Vector2(radius, height))
  const length = (long * Math.PI) / 180
  const strip = new Mesh(new LatheGeometry(points, 96, Math.PI - length / 2, length), material)
  return group(at(strip, [0, 0, 0], [Math.PI / 2, 0, 0]))
}

/** A material with marks on it: `draw` works in millimetres, `along` from left to right and `around` downwards. */
export function marked(
  base: MeshPhysicalMaterial,
  [along, around]: Point2,
  draw: (pen: CanvasRenderingContext2D) => void,
  fine = 5,
) {
  const { canvas, context: pen } = canvasOf(Math.round(along * fine), Math.round(around * fine))
  pen.fillStyle = `#${base.color.getHexString()}`
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(canvas.width / along, canvas.height / around)
  pen.lineCap = pen.lineJoin = 'round'
  pen.fillStyle = pen.strokeStyle = '#b4b8bc'
  draw(pen)
  const material = base.clone()
  material.color.set('#ffffff')
  return Object.assign(material, {
    map: textureOf(canvas),
    bumpMap: null,
    roughnessMap: null,
    normalMap: null,
  })
}
