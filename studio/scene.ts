import { FloatType, HalfFloatType, Mesh, PCFShadowMap, Scene, WebGLRenderer, WebGLRenderTarget } from 'three'
import { aim } from './camera.ts'
import { cover, makeGround, makeLights, place, surroundings } from './light.ts'
import { adding, printing } from './print.ts'
import { shadeLikeAStudio } from './shading.ts'
import { at, group } from './shapes/pieces.ts'
import type { Model, View } from './view.ts'

export interface Quality {
  width: number
  height: number
  /** Number of accumulated renders, each with slightly moved lights and camera. */
  passes: number
}

/** Creates the renderer, lights and render targets once for all parts. */
export function openStudio({ width, height, passes }: Quality) {
  shadeLikeAStudio()
  const canvas = document.createElement('canvas')
  const renderer = new WebGLRenderer({ canvas, antialias: false, preserveDrawingBuffer: true })
  renderer.setSize(width, height, false)
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  renderer.setClearColor(0x000000, 0)
  renderer.autoClear = false
  renderer.debug.onShaderError = (gl, program, vertex, fragment) => {
    const why = [gl.getProgramInfoLog(program), gl.getShaderInfoLog(vertex), gl.getShaderInfoLog(fragment)]
    throw new Error(`A shader does not compile: ${why.join(' ')}`)
  }

  const scene = new Scene()
  scene.environment = surroundings(renderer)
  const lights = makeLights(scene)
  const ground = makeGround()
  scene.add(ground)
  const one = new WebGLRenderTarget(width, height, { type: HalfFloatType })
  const sum = new WebGLRenderTarget(width, height, { type: FloatType, depthBuffer: false })
  const add = adding(one.texture, 1 / passes)
  const print = printing(sum.texture)
  return { photograph }

  /** Renders one part and returns a PNG in base64. The same model gives nearly the same picture. */
  function photograph(model: Model, view: View) {
    const object = at(group(model.object), [0, 0, 0], view.turned)
    scene.add(object)
    object.traverse((piece) => {
      piece.castShadow = true
      piece.receiveShadow = true
    })
    object.updateMatrixWorld(true)
    const { camera, floor, lit } = aim(object, view, width / height)
    const turn = view.azimuth * (Math.PI / 180)
    scene.environmentRotation.set(0, turn, 0)
    ground.scale.setScalar(lit.size * 40)
    ground.position.y = floor - lit.size * 0.0003
    cover(lights.key, lit)
    cover(lights.dome, lit)

    renderer.setRenderTarget(sum)
    renderer.clear()
    for (let pass = 0; pass < passes; pass++) {
      const shares = [2, 3, 5, 7, 11, 13].map((base) => halton(pass + 1, base))
      place(lights, lit, turn, pass, shares)
      camera.setViewOffset(width, height, shares[4]! - 0.5, shares[5]! - 0.5, width, height)
      renderer.setRenderTarget(one)
      renderer.clear()
      renderer.render(scene, camera)
      renderer.setRenderTarget(sum)
      renderer.render(add.scene, add.camera)
    }
    renderer.setRenderTarget(null)
    renderer.clear()
    renderer.render(print.scene, print.camera)

    scene.remove(object)
    object.traverse((piece) => piece instanceof Mesh && piece.geometry.dispose())
    renderer.renderLists.dispose()
    return canvas.toDataURL('image/png').replace(/^.*,/, '')
  }
}

/** Halton sequence: deterministic numbers from 0 to 1 that fill the range evenly. */
function halton(index: number, base: number) {
  let [result, fraction] = [0, 1]
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    fraction /= base
    result += fraction * (rest % base)
  }
  return result
}
