import {
  BackSide,
  DirectionalLight,
  Mesh,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  SphereGeometry,
  type Vector3,
  type WebGLRenderer,
} from 'three'
import { exchanged } from './shading.ts'

/** The region that the lights cover: the whole part, or the visible section of a close-up. */
export interface Lit {
  middle: Vector3
  /** The whole part's diagonal; what lies farther from the light than that throws no shadow. */
  size: number
  /** How far around the middle shadows are drawn. */
  reach: number
}

const degrees = Math.PI / 180

/** A key light, and a dome: a light from anywhere above. Both throw shadows; see `place`. */
export function makeLights(scene: Scene) {
  const [key, dome] = [new DirectionalLight(), new DirectionalLight()]
  key.intensity = 2.1
  dome.intensity = 1.5
  for (const light of [key, dome]) {
    light.castShadow = true
    light.shadow.mapSize.set(1536, 1536)
    scene.add(light, light.target)
  }
  return { key, dome }
}

/** Fits the shadow map to the lit region, for the highest resolution. */
export function cover(light: DirectionalLight, { middle, size, reach }: Lit) {
  const { shadow } = light
  const texel = (2 * reach) / shadow.mapSize.x
  Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach })
  Object.assign(shadow.camera, { near: size * 2, far: size * 4 })
  shadow.camera.updateProjectionMatrix()
  shadow.normalBias = texel * 1.2
  shadow.bias = (-texel * 0.8) / (size * 2)
  light.target.position.copy(middle)
}

/** Moves the lights for a pass; `a` to `d` are from 0 to 1, `turn` is where the camera stands. */
export function place(
  { key, dome }: ReturnType<typeof makeLights>,
  lit: Lit,
  turn: number,
  pass: number,
  [a, b, c, d]: readonly number[],
) {
  // The thousandths tell the passes apart; see shading.ts.
  key.shadow.radius = 2 + pass / 1000
  dome.shadow.radius = 3.5 + pass / 1000
  // A soft box of a metre, left of the camera and above.
  shineFrom(key, lit, turn + (-52 + 26 * (a! - 0.5)) * degrees, (50 + 22 * (b! - 0.5)) * degrees)
  // Directions of the whole sky, weighted towards the zenith: gives the contact shadows under a part.
  shineFrom(dome, lit, c! * 2 * Math.PI, Math.asin(Math.sqrt(0.04 + 0.96 * d!)))
}

function shineFrom(light: DirectionalLight, { middle, size }: Lit, turn: number, rise: number) {
  const from = light.position.set(
    Math.sin(turn) * Math.cos(rise),
    Math.sin(rise),
    Math.cos(turn) * Math.cos(rise),
  )
  from.multiplyScalar(size * 3).add(middle)
}

/** The paper on which parts lie, as far as it is in shade: black, and the more opaque the less light falls on it. */
export function makeGround() {
  const material = new ShadowMaterial({ opacity: 0.8 })
  const shade = (i: number) =>
    `shade( directionalShadowMap[ ${i} ], directionalLightShadows[ ${i} ], vDirectionalShadowCoord[ ${i} ] )`
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = exchanged(shader.fragmentShader, [
      ['#include <shadowmask_pars_fragment>', groundShade],
      ['1.0 - getShadowMask()', `0.4 * ${shade(0)} + 0.6 * ${shade(1)}`],
    ])
  }
  const ground = new Mesh(new PlaneGeometry(1, 1), material)
  ground.rotation.x = -Math.PI / 2
  ground.receiveShadow = true
  return ground
}

const groundShade = `
  float shade( sampler2DShadow map, DirectionalLightShadow light, vec4 at ) {
    // Paper is plain: what would pass on a part for grain shows on it as streaks, so its shade is softer.
    return 1.0 - getShadow( map, light.shadowMapSize, 1.0, light.shadowBias, 5.0 * light.shadowRadius, at );
  }`

/** What metal mirrors: a dim room, the soft box at the left, a strip at the right, one overhead and one behind. */
export function surroundings(renderer: WebGLRenderer) {
  const scene = new Scene()
  const material = new ShaderMaterial({
    side: BackSide,
    vertexShader: `varying vec3 at;
      void main() { at = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
    fragmentShader: roomShader,
  })
  scene.add(new Mesh(new SphereGeometry(30, 64, 32), material))
  const generator = new PMREMGenerator(renderer)
  return generator.fromScene(scene, 0, 0.1, 100, { size: 256 }).texture
}

/** Soft boxes with soft edges, and black flags that give bright metal a dark edge. The camera is at +z. */
const roomShader = `
  varying vec3 at;
  float box(vec3 d, vec3 towards, vec2 half_, float soft) {
    vec3 n = normalize(towards);
    vec3 right = normalize(cross(abs(n.y) > 0.9 ? vec3(0.0, 0.0, -1.0) : vec3(0.0, 1.0, 0.0), n));
    float depth = dot(d, n);
    vec2 p = abs(vec2(dot(d, right), dot(d, cross(n, right)))) / max(depth, 0.001);
    vec2 edge = 1.0 - smoothstep(half_ - soft, half_ + soft, p);
    return depth > 0.0 ? edge.x * edge.y : 0.0;
  }
  void main() {
    vec3 d = normalize(at);
    float sky = mix(0.26, 0.16, smoothstep(0.0, 0.9, d.y));
    float floor_ = mix(0.34, 0.62, smoothstep(0.0, -0.7, d.y));
    float light = mix(floor_, sky, smoothstep(-0.03, 0.03, d.y));
    light *= 1.0 - 0.92 * box(d, vec3(-1.0, 0.05, -0.12), vec2(0.26, 0.75), 0.14);
    light *= 1.0 - 0.92 * box(d, vec3(1.0, 0.1, -0.42), vec2(0.3, 0.8), 0.14);
    light *= 1.0 - 0.9 * box(d, vec3(0.2, 0.2, 1.0), vec2(0.3, 0.8), 0.2);
    light += 6.5 * box(d, vec3(-0.62, 0.68, 0.42), vec2(0.52, 0.46), 0.16);
    light += 0.9 * box(d, vec3(-0.4, 0.8, -0.5), vec2(0.62, 0.5), 0.5);
    light += 5.0 * box(d, vec3(0.92, 0.3, 0.28), vec2(0.12, 0.62), 0.06);
    light += 2.4 * box(d, vec3(-0.45, 0.22, -0.9), vec2(0.2, 0.7), 0.12);
    gl_FragColor = vec4(light * vec3(1.0, 0.992, 0.98), 1.0);
  }`
