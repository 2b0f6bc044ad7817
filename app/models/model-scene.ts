import { MeshoptDecoder } from 'meshoptimizer/decoder'
import {
  Box3,
  Mesh,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  Sphere,
  Texture,
  TextureLoader,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js'
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { smoothModel } from './smooth.ts'

export interface ModelScene {
  /** In radians. */
  turn(aside: number, down: number): void
  /** In steps; closer when positive. */
  zoom(steps: number): void
  reset(): void
  /** Frees what the graphics card holds. */
  dispose(): void
}

const lens = 24
const zoomStep = 1.2

/** Draws only when something changes. Throws an Error whose message can be shown. */
export async function openModelScene(
  canvas: HTMLCanvasElement,
  file: ArrayBuffer,
  { onLost }: { onLost: () => void },
): Promise<ModelScene> {
  const model = await parse(file)
  let frame = 0
  const renderer = openRenderer(canvas)
  const scene = new Scene()
  const surroundings = new PMREMGenerator(renderer)
  const room = surroundings.fromScene(new RoomEnvironment(), 0.04)
  scene.environment = room.texture
  smoothModel(model.scene)
  scene.add(model.scene)
  const camera = aimAt(model)
  const controls = openControls(camera, canvas, scene)
  controls.addEventListener('change', draw)
  const watcher = new ResizeObserver(fit)
  watcher.observe(canvas)
  canvas.addEventListener('webglcontextlost', onLost)
  canvas.addEventListener('wheel', keepScrolling, { capture: true })
  fit()
  function draw() {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      // Calls this again while the turn runs out.
      controls.update()
      renderer.render(scene, camera)
    })
  }

  function fit() {
    const { clientWidth, clientHeight } = canvas
    if (clientWidth === 0 || clientHeight === 0) return
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    renderer.setSize(clientWidth, clientHeight, false)
    camera.aspect = clientWidth / clientHeight
    camera.updateProjectionMatrix()
    draw()
  }

  return {
    turn(aside, down) {
      controls.rotateLeft(-aside)
      controls.rotateUp(-down)
      controls.update()
    },
    zoom(steps) {
      if (steps > 0) controls.dollyIn(zoomStep)
      else controls.dollyOut(zoomStep)
      controls.update()
    },
    reset: () => controls.reset(),
    dispose() {
      cancelAnimationFrame(frame)
      watcher.disconnect()
      canvas.removeEventListener('webglcontextlost', onLost)
      canvas.removeEventListener('wheel', keepScrolling, { capture: true })
      controls.dispose()
      disposeAll(model.scene)
      room.dispose()
      surroundings.dispose()
      renderer.dispose()
      renderer.forceContextLoss()
    },
  }
}

async function parse(file: ArrayBuffer): Promise<GLTF> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder)
  // Its own loader fetches textures, which the page's security policy allows from the shop only.
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(parser.options.manager)
    return { name: 'textures' }
  })
  return loader.parseAsync(file, '').catch(() => {
    throw new Error('This model can’t be shown. Look at the photos instead.')
  })
}

function openRenderer(canvas: HTMLCanvasElement) {
  try {
    const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true })
    renderer.toneMapping = NeutralToneMapping
    return renderer
  } catch {
    throw new Error('The browser can’t show the model now. Close other pages with 3D, and try again.')
  }
}

/** From where the file's own camera looks, if it has one, at the middle and from so far that the model fits when it is turned. */
function aimAt({ scene, cameras }: GLTF) {
  scene.updateMatrixWorld(true)
  const box = new Box3().setFromObject(scene, true)
  const { center, radius } = box.getBoundingSphere(new Sphere())
  const from = new Vector3(0.5, 0.45, 1)
  const [own] = cameras
  if (own) own.getWorldDirection(from).negate()
  // The sphere is that of the box, which parts fill in part.
  const distance = (0.8 * radius) / Math.sin(((lens / 2) * Math.PI) / 180)
  const camera = new PerspectiveCamera(lens, 4 / 3, radius / 100, distance * 4)
  scene.position.sub(center)
  camera.position.copy(from.normalize()).multiplyScalar(distance)
  return camera
}

function openControls(camera: PerspectiveCamera, canvas: HTMLCanvasElement, scene: Scene) {
  const controls = new OrbitControls(camera, canvas)
  const distance = camera.position.distanceTo(scene.position)
  controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches
  controls.enablePan = false
  controls.minDistance = distance / 4
  controls.maxDistance = distance * 1.5
  controls.saveState()
  return controls
}

/** A wheel scrolls the page; with the Control key, which browsers also report for a pinch, it zooms. */
function keepScrolling(event: WheelEvent) {
  if (!event.ctrlKey) event.stopImmediatePropagation()
}

function disposeAll(object: Object3D) {
  object.traverse((piece) => {
    if (!(piece instanceof Mesh)) return
    piece.geometry.dispose()
    for (const material of [piece.material].flat()) {
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose()
      material.dispose()
    }
  })
}
