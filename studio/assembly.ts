import {
  Box3,
  DepthTexture,
  FloatType,
  Group,
  HalfFloatType,
  MeshNormalMaterial,
  type Object3D,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three'
import { makeModel } from './models.ts'
import { drawingLines } from './print.ts'
import { at, group, type Point2 } from './shapes/pieces.ts'
import type { Model } from './view.ts'

/** Where each part of the drivetrain lies on the sheet, in millimetres from its middle, all at the same scale. */
const places: [part: string, place: Point2][] = [
  ['rear-hub', [-275, 140]],
  ['cassette', [-30, 140]],
  ['chain', [250, 145]],
  ['bottom-bracket', [-290, -120]],
  ['crankset', [-35, -125]],
  ['rear-derailleur', [262, -130]],
]
const sheetWidth = 770
/** Twice as many pixels as are kept make the lines smooth. */
const fine = 2

/** Draws the drivetrain in lines, as a PNG in base64, and tells where the middle of each part is, in thousandths. */
export async function drawDrivetrain(width: number, height: number) {
  const canvas = document.createElement('canvas')
  const renderer = new WebGLRenderer({ canvas, preserveDrawingBuffer: true })
  renderer.setSize(width * fine, height * fine, false)
  const sheetHeight = (sheetWidth * height) / width
  const [right, top] = [sheetWidth / 2, sheetHeight / 2]
  const camera = new OrthographicCamera(-right, right, top, -top, 1, 2000)
  camera.position.z = 1000
  const scene = new Scene()
  scene.overrideMaterial = new MeshNormalMaterial()
  const middles: Record<string, Point2> = {}
  for (const [name, [x, y]] of places) {
    const part = posed(await makeModel(name))
    part.position.add(new Vector3(x, y, 0))
    scene.add(part)
    middles[name] = [Math.round((x / sheetWidth + 0.5) * 1000), Math.round((0.5 - y / sheetHeight) * 1000)]
  }

  const shot = new WebGLRenderTarget(width * fine, height * fine, {
    type: HalfFloatType,
    depthTexture: new DepthTexture(width * fine, height * fine, FloatType),
  })
  renderer.setRenderTarget(shot)
  renderer.setClearColor(0x000000, 0)
  renderer.render(scene, camera)
  renderer.setRenderTarget(null)
  const lines = drawingLines(shot)
  renderer.render(lines.scene, lines.camera)
  return { picture: print(canvas, width, height), middles }
}

/** Turned as in its first photograph, with its middle at the origin. */
function posed({ object, views: [{ azimuth, elevation, roll = 0, turned }] }: Model) {
  const radians = Math.PI / 180
  const sideways = at(group(at(group(object), [0, 0, 0], turned)), [0, 0, 0], [0, -azimuth * radians, 0])
  const upright = at(group(sideways), [0, 0, 0], [elevation * radians, 0, 0])
  const whole: Object3D = at(group(upright), [0, 0, 0], [0, 0, -roll * radians])
  whole.updateMatrixWorld(true)
  const middle = new Box3().setFromObject(whole, true).getCenter(new Vector3())
  const result = new Group().add(whole)
  whole.position.sub(middle)
  return result
}

function print(drawn: HTMLCanvasElement, width: number, height: number) {
  const sheet = document.createElement('canvas')
  Object.assign(sheet, { width, height })
  const pen = sheet.getContext('2d')!
  pen.fillStyle = '#eef1f4'
  pen.fillRect(0, 0, width, height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(drawn, 0, 0, width, height)
  return sheet.toDataURL('image/png').replace(/^.*,/, '')
}
