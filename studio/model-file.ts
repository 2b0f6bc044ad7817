import {
  BufferGeometry,
  Color,
  DoubleSide,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Scene,
} from 'three'
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js'
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js'
import { aim } from './camera.ts'
import { at, group } from './shapes/pieces.ts'
import type { Model } from './view.ts'

/** As often as this, a shape is in the file once and placed; more rarely, it is one with all of the same material. */
const oftenPlaced = 20
const metres = 0.001

/** A part as a GLB in metres with every triangle of it, and the camera of its first photograph. */
export async function toGlb({ object, views }: Model) {
  const posed = at(group(object), [0, 0, 0], views[0].turned)
  posed.updateMatrixWorld(true)
  const { camera } = aim(posed, views[0], 4 / 3)
  const { position, quaternion, fov, aspect } = camera
  const eye = new PerspectiveCamera(fov, aspect, 0.01, 100)
  eye.quaternion.copy(quaternion)
  eye.position.copy(position).multiplyScalar(metres)

  const scene = new Scene()
  scene.add(...combine(posed), eye)
  const glb = (await new GLTFExporter().parseAsync(scene, {
    binary: true,
    maxTextureSize: 1024,
  })) as ArrayBuffer
  return toBase64(glb)
}

function combine(posed: Object3D) {
  const meshes: Mesh<BufferGeometry, Material>[] = []
  posed.traverse((piece) => {
    if (piece instanceof Mesh) meshes.push(piece)
  })
  const materials = new Map<Material, MeshStandardMaterial>()
  const merged = new Map<MeshStandardMaterial, BufferGeometry[]>()
  const shapes = new Map<BufferGeometry, BufferGeometry>()
  const placed: Mesh[] = []
  for (const mesh of meshes) {
    const material = materials.get(mesh.material) ?? standard(mesh.material)
    materials.set(mesh.material, material)
    const shape = shapes.get(mesh.geometry) ?? plain(mesh.geometry, material)
    shapes.set(mesh.geometry, shape)
    const often = meshes.filter(({ geometry }) => geometry === mesh.geometry).length >= oftenPlaced
    for (const place of placesOf(mesh)) {
      if (often) placed.push(placeMesh(new Mesh(shape, material), place))
      else merged.set(material, [...(merged.get(material) ?? []), shape.clone().applyMatrix4(place)])
    }
  }
  const bodies = [...merged].map(([material, pieces]) => new Mesh(mergeGeometries(pieces), material))
  return [...placed, ...bodies]
}

function placeMesh(mesh: Mesh, place: Matrix4) {
  place.decompose(mesh.position, mesh.quaternion, mesh.scale)
  return mesh
}

/** In metres. */
function placesOf(mesh: Mesh) {
  const scale = new Matrix4().makeScale(metres, metres, metres)
  const place = scale.multiply(mesh.matrixWorld)
  if (!(mesh instanceof InstancedMesh)) return [place]
  return Array.from({ length: mesh.count }, (_, i) => {
    const own = new Matrix4()
    mesh.getMatrixAt(i, own)
    return place.clone().multiply(own)
  })
}

/** Positions and normals, and where its picture lies, if it has one. */
function plain(geometry: BufferGeometry, { map }: MeshStandardMaterial) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry.clone()
  const result = new BufferGeometry()
  for (const name of map ? ['position', 'normal', 'uv'] : ['position', 'normal'])
    result.setAttribute(name, flat.getAttribute(name))
  return result
}

/** What glTF knows of a material: the studio's changed shaders and grain stay in the studio. */
function standard(material: Material) {
  if (!(material instanceof MeshPhysicalMaterial))
    throw new Error(`${material.type} has no counterpart in glTF.`)
  const { color, metalness, roughness, transparent, side } = material
  // A changed shader lays the weave on without coordinates.
  const isWoven = Object.hasOwn(material, 'onBeforeCompile')
  return new MeshStandardMaterial({
    color: isWoven ? new Color('#26282b') : color,
    map: isWoven ? null : material.map,
    metalness,
    roughness,
    transparent,
    side: side === DoubleSide ? DoubleSide : undefined,
  })
}

function toBase64(bytes: ArrayBuffer) {
  const url = new FileReader()
  return new Promise<string>((resolve) => {
    url.onload = () => resolve((url.result as string).replace(/^.*,/, ''))
    url.readAsDataURL(new Blob([bytes]))
  })
}
