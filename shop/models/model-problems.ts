/** Of a glTF's JSON, as whoever made it wrote it. */
export interface GltfContent {
  buffers?: unknown
  images?: unknown
  nodes?: { mesh?: number }[]
  meshes?: { primitives: { indices?: number; mode?: number; attributes: { POSITION?: number } }[] }[]
  accessors?: { count: number }[]
  extensionsUsed?: unknown
  extensionsRequired?: unknown
}

/** Extensions that a file may require: all that the viewer reads without another decoder. */
const knownExtensions = [
  'KHR_mesh_quantization',
  'KHR_texture_transform',
  'KHR_materials_unlit',
  'KHR_materials_clearcoat',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_ior',
  'KHR_materials_transmission',
  'KHR_materials_volume',
  'KHR_materials_iridescence',
  'KHR_materials_anisotropy',
  'KHR_materials_emissive_strength',
  'KHR_lights_punctual',
]

const compressions: Record<string, string> = {
  KHR_draco_mesh_compression: 'Draco',
  EXT_meshopt_compression: 'meshopt',
  KHR_meshopt_compression: 'meshopt',
  KHR_texture_basisu: 'Basis textures',
  EXT_texture_webp: 'WebP textures',
  EXT_texture_avif: 'AVIF textures',
}

/** Why a model isn't all in its one file, or needs what the viewer lacks; null when neither is so. */
export function findOutsideContent({ buffers, images, extensionsUsed, extensionsRequired }: GltfContent) {
  if ([...toList(buffers), ...toList(images)].some((entry) => hasAddress(entry)))
    return 'It refers to files outside of it. Export it with all its textures and buffers inside.'
  const used = [...toList(extensionsUsed), ...toList(extensionsRequired)]
  const compression = used.find((name) => typeof name === 'string' && Object.hasOwn(compressions, name))
  if (compression)
    return `It is compressed with ${compressions[compression as string]}, which can’t be checked. Export it without compression.`
  // After the compressions, which have a second one.
  if (toList(buffers).length > 1) return 'It has more than one buffer. Export it as one binary file.'
  const unknown = toList(extensionsRequired).find((name) => !knownExtensions.includes(name as string))
  if (unknown !== undefined)
    return `It requires the extension “${String(unknown).slice(0, 60)}”, which the shop can’t show. Export it without.`
  return null
}

/** Of a valid one; of lines and points none. */
export function countTriangles({ nodes = [], meshes = [], accessors = [] }: GltfContent) {
  const ofMesh = meshes.map(({ primitives }) => {
    const counts = primitives.map(({ indices, mode = 4, attributes }) => {
      const corners = accessors[indices ?? attributes.POSITION ?? -1]?.count ?? 0
      return mode === 4 ? corners / 3 : mode > 4 ? Math.max(corners - 2, 0) : 0
    })
    return counts.reduce((sum, count) => sum + count, 0)
  })
  return nodes.reduce((sum, { mesh = -1 }) => sum + (ofMesh[mesh] ?? 0), 0)
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Also an address that holds the content itself: the binary buffer is the only place for it. */
function hasAddress(entry: unknown) {
  return entry !== null && typeof entry === 'object' && 'uri' in entry
}

interface Issue {
  code: string
  message: string
  pointer?: string
}

/** What the validator found first, for people who export models. */
export function describeProblem({ code, message, pointer }: Issue) {
  const place = pointer ? ` (${pointer.slice(0, 80)})` : ''
  return code ? `${message.slice(0, 200)}${place}` : 'It isn’t a valid glTF. Export the model again.'
}
