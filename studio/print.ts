import {
  AddEquation,
  CustomBlending,
  Mesh,
  NoBlending,
  OneFactor,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  type Texture,
  Vector2,
  type WebGLRenderTarget,
} from 'three'

/** Draws lines where the surfaces of a picture of normals turn or end, and fills them with a light tone. */
export function drawingLines({ texture, depthTexture, width, height }: WebGLRenderTarget) {
  return fullScreen(lineShader, {
    normals: texture,
    depths: depthTexture,
    step: new Vector2(1 / width, 1 / height),
  })
}

/** Adds a share of a picture to what is there. */
export function adding(picture: Texture, share: number) {
  return fullScreen(addShader, { picture, share }, true)
}

/** Prints a picture on paper. */
export function printing(picture: Texture) {
  return fullScreen(printShader, { picture })
}

function fullScreen(fragmentShader: string, uniforms: Record<string, unknown>, add = false) {
  const material = new ShaderMaterial({
    uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
    vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader,
    depthTest: false,
    depthWrite: false,
    blending: add ? CustomBlending : NoBlending,
    blendEquation: AddEquation,
    blendSrc: OneFactor,
    blendDst: OneFactor,
  })
  const scene = new Scene()
  scene.add(new Mesh(new PlaneGeometry(2, 2), material))
  return { scene, camera: new OrthographicCamera() }
}

const addShader = `
  uniform sampler2D picture; uniform float share; varying vec2 at;
  void main() { gl_FragColor = texture2D(picture, at) * share; }`

/**
 * Tone and ground: dark tones as they are, bright ones pressed together as Khronos's neutral curve does it, on a light
 * grey paper. A grain of half a step keeps the paper from showing bands.
 */
const printShader = `
  uniform sampler2D picture; varying vec2 at;
  vec3 tone(vec3 c) {
    float peak = max(c.r, max(c.g, c.b));
    float start = 0.62;
    if (peak < start) return c;
    float d = 1.0 - start;
    float pressed = 1.0 - d * d / (peak + d - start);
    return mix(c * (pressed / peak), vec3(pressed), 1.0 - 1.0 / (0.12 * (peak - pressed) + 1.0));
  }
  vec3 encode(vec3 c) { return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, step(c, vec3(0.0031308))); }
  void main() {
    vec4 shot = texture2D(picture, at);
    float away = length((at - vec2(0.46, 0.56)) * vec2(1.0, 0.85));
    vec3 paper = mix(vec3(0.845, 0.855, 0.868), vec3(0.665, 0.69, 0.718), smoothstep(0.12, 0.72, away));
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    vec3 printed = encode(clamp(tone(max(shot.rgb, 0.0)) + paper * (1.0 - shot.a), 0.0, 1.0));
    gl_FragColor = vec4(printed + grain / 255.0, 1.0);
  }`

const lineShader = `
  uniform sampler2D normals; uniform sampler2D depths; uniform vec2 step; varying vec2 at;
  float depthAt(vec2 place) { return texture2D(depths, place).x * 1999.0; }
  void main() {
    vec4 middle = texture2D(normals, at);
    float line = 0.0;
    for (int i = 0; i < 4; i++) {
      vec2 off = 1.5 * step * vec2(i == 0 ? 1.0 : i == 1 ? -1.0 : 0.0, i == 2 ? 1.0 : i == 3 ? -1.0 : 0.0);
      vec4 other = texture2D(normals, at + off);
      float turn = 1.0 - dot(normalize(middle.xyz * 2.0 - 1.0), normalize(other.xyz * 2.0 - 1.0));
      float bothThere = min(middle.a, other.a);
      float end = abs(middle.a - other.a);
      float gap = bothThere * smoothstep(1.2, 2.6, abs(depthAt(at) - depthAt(at + off)));
      line = max(line, max(end, max(gap, 0.75 * bothThere * smoothstep(0.16, 0.42, turn))));
    }
    float tone = 0.86 + 0.13 * (middle.z * 2.0 - 1.0);
    vec3 fill = vec3(tone, tone * 1.004, tone * 1.01);
    vec3 ink = vec3(0.08, 0.095, 0.115);
    float there = max(middle.a, line);
    gl_FragColor = vec4(mix(fill, ink, line) * there, there);
  }`
