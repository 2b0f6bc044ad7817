import {
  CanvasTexture,
  Color,
  MeshPhysicalMaterial,
  type MeshPhysicalMaterialParameters,
  RepeatWrapping,
  SRGBColorSpace,
} from 'three'
import { exchanged } from './shading.ts'
import { canvasOf } from './shapes/prints.ts'

const colours = {
  alloy: '#cfcecd',
  steel: '#b1b0af',
  dark: '#8b8a89',
  black: '#1b1b1c',
  accent: '#d9622a',
  gold: '#d0a450',
}

function metal(color: string, roughness: number, more: MeshPhysicalMaterialParameters = {}) {
  return new MeshPhysicalMaterial({ color: new Color(color), metalness: 1, roughness, ...more })
}

/** Bead-blasted or machined aluminium. */
export const alloy = metal(colours.alloy, 0.32)
/** Aluminium as a lathe leaves it. */
export const turned = metal(colours.alloy, 0.22, { anisotropy: 0.4, anisotropyRotation: Math.PI / 2 })
export const polished = metal('#e8e7e5', 0.1)
/** Nickel-plated steel: sprockets, chains, axles. */
export const steel = metal(colours.steel, 0.24)
/** Hardened or raw steel, darker. */
export const darkSteel = metal(colours.dark, 0.36)
/** Black hard-anodised aluminium: dark, and still metal. */
export const anodised = metal('#4f4e4e', 0.36)
export const glossBlack = new MeshPhysicalMaterial({
  color: colours.black,
  roughness: 0.3,
  clearcoat: 1,
  clearcoatRoughness: 0.06,
})
/** The shop's orange, anodised. */
export const accent = metal(colours.accent, 0.3)
export const brass = metal(colours.gold, 0.28)
export const plastic = new MeshPhysicalMaterial({ color: '#242425', roughness: 0.4 })
export const rubber = new MeshPhysicalMaterial({
  color: '#282727',
  roughness: 0.6,
  bumpMap: grain(128, 2),
  bumpScale: 0.4,
  sheen: 0.15,
})
export const leather = new MeshPhysicalMaterial({
  color: '#262525',
  roughness: 0.5,
  bumpMap: grain(256, 3),
  bumpScale: 1,
  sheen: 0.3,
})
/** Woven carbon under lacquer. */
export const carbon = new MeshPhysicalMaterial({
  color: '#ffffff',
  map: weave(),
  roughness: 0.45,
  metalness: 0,
  clearcoat: 1,
  clearcoatRoughness: 0.08,
})

/** A fine irregular surface, the same each time. */
export function grain(size: number, repeat: number) {
  const { canvas, context } = canvasOf(size, size)
  const picture = context.createImageData(size, size)
  let seed = 7
  for (let i = 0; i < picture.data.length; i += 4) {
    seed = (seed * 1664525 + 1013904223) >>> 0
    const value = 96 + (seed >>> 24) / 3
    picture.data.set([value, value, value, 255], i)
  }
  context.putImageData(picture, 0, 0)
  return repeated(canvas, repeat)
}

/** A twill of two threads over two. */
function weave() {
  const { canvas, context } = canvasOf(64, 64)
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const over = (row + column) % 4 < 2
      const shade = context.createLinearGradient(
        column * 16,
        row * 16,
        column * 16 + (over ? 16 : 0),
        row * 16 + (over ? 0 : 16),
      )
      const [low, high] = over ? ['#16181a', '#3a3d41'] : ['#0e0f11', '#26292c']
      shade.addColorStop(0, low)
      shade.addColorStop(0.5, high)
      shade.addColorStop(1, low)
      context.fillStyle = shade
      context.fillRect(column * 16, row * 16, 16, 16)
    }
  }
  const texture = repeated(canvas, 8)
  texture.colorSpace = SRGBColorSpace
  return texture
}

function repeated(canvas: HTMLCanvasElement, times: number) {
  const texture = new CanvasTexture(canvas)
  texture.wrapS = texture.wrapT = RepeatWrapping
  texture.repeat.set(times, times)
  texture.anisotropy = 8
  return texture
}

/** Carbon for bodies without a picture of their own: the weave is laid on from the three sides. */
export function woven(tile = 9) {
  const material = carbon.clone()
  material.map = carbon.map!.clone()
  material.map.repeat.set(1, 1)
  material.map.needsUpdate = true
  material.onBeforeCompile = (shader) => {
    const passed = '#include <common>\nvarying vec3 bodyAt; varying vec3 bodyFace;'
    shader.vertexShader = exchanged(shader.vertexShader, [
      ['#include <common>', passed],
      ['#include <begin_vertex>', '#include <begin_vertex>\nbodyAt = position; bodyFace = normal;'],
    ])
    shader.fragmentShader = exchanged(shader.fragmentShader, [
      ['#include <common>', passed],
      [
        '#include <map_fragment>',
        `vec3 share = pow(abs(bodyFace), vec3(8.0)); share /= share.x + share.y + share.z;
         vec3 p = bodyAt / ${tile.toFixed(2)};
         mat2 lean = mat2(0.7071, 0.7071, -0.7071, 0.7071);
         diffuseColor *= texture2D(map, lean * p.zy) * share.x + texture2D(map, lean * p.xz) * share.y
           + texture2D(map, lean * p.xy) * share.z;`,
      ],
    ])
  }
  return material
}
