import { type Document, Logger, NodeIO, type Primitive, PropertyType } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRMeshQuantization, KHRTextureTransform } from '@gltf-transform/extensions'
import { compactPrimitive, dedup, meshopt, prune, weld, weldPrimitive } from '@gltf-transform/functions'
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer'
import sharp from 'sharp'

const io = new NodeIO()
  .setLogger(new Logger(Logger.Verbosity.WARN))
  .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization, KHRTextureTransform])
  .registerDependencies({ 'meshopt.encoder': MeshoptEncoder })

/** In metres: finer than what a screen shows of most parts. */
const finestError = 0.00004

/** Makes a model coarser, until its file has at most so many bytes. Its numbers are small integers, as KHR_mesh_quantization allows. */
export async function compress(glb: Uint8Array, maxBytes: number) {
  await Promise.all([MeshoptSimplifier.ready, MeshoptEncoder.ready])
  const whole = await io.readBinary(glb)
  await whole.transform(weld(), dedup({ propertyTypes: [PropertyType.MESH, PropertyType.TEXTURE] }))
  await compressPictures(whole)
  const welded = await io.writeBinary(whole)
  for (let error = finestError; ; error *= 1.15) {
    const document = await io.readBinary(welded)
    for (const mesh of document.getRoot().listMeshes())
      for (const primitive of mesh.listPrimitives()) simplify(primitive, error)
    await document.transform(
      meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 14, quantizeTexcoord: 12 }),
      prune({ keepAttributes: false }),
    )
    const bytes = await io.writeBinary(document)
    if (bytes.length <= maxBytes) {
      const pictures = document
        .getRoot()
        .listTextures()
        .reduce((sum, texture) => sum + texture.getImage()!.length, 0)
      return { bytes, triangles: countTriangles(document), error, pictures }
    }
  }
}

/** With few colours, PNG is small, and keeps what is transparent. */
async function compressPictures(document: Document) {
  for (const texture of document.getRoot().listTextures()) {
    const picture = sharp(texture.getImage()!).resize({
      width: 1024,
      height: 1024,
      fit: 'inside',
      withoutEnlargement: true,
    })
    texture
      .setImage(await picture.png({ palette: true, colours: 16, dither: 0, effort: 10 }).toBuffer())
      .setMimeType('image/png')
  }
}

/**
 * A primitive with a picture keeps its normals. The others have none, which are most of their bytes, and show as dents where many triangles
 * became one: the shop's viewer computes them.
 */
function simplify(primitive: Primitive, error: number) {
  const uv = primitive.getAttribute('TEXCOORD_0')
  if (!uv) {
    primitive.setAttribute('NORMAL', null)
    weldPrimitive(primitive)
  }
  const position = primitive.getAttribute('POSITION')!
  const positions = position.getArray() as Float32Array
  const indices = new Uint32Array(primitive.getIndices()!.getArray()!)
  if (uv) {
    const attributes = interleave(primitive, position.getCount())
    const weights = [0.0005, 0.0005, 0.0005, 0.01, 0.01]
    const [kept] = MeshoptSimplifier.simplifyWithAttributes(
      indices,
      positions,
      3,
      attributes,
      5,
      weights,
      null,
      3,
      error,
      ['ErrorAbsolute', 'Prune'],
    )
    primitive.getIndices()!.setArray(new Uint32Array(kept))
  } else {
    const [kept] = MeshoptSimplifier.simplify(indices, positions, 3, 3, error, ['ErrorAbsolute', 'Prune'])
    primitive.getIndices()!.setArray(new Uint32Array(kept))
  }
  compactPrimitive(primitive)
}

function interleave(primitive: Primitive, count: number) {
  const attributes = new Float32Array(count * 5)
  for (let i = 0; i < count; i++) {
    attributes.set(primitive.getAttribute('NORMAL')!.getElement(i, []), i * 5)
    attributes.set(primitive.getAttribute('TEXCOORD_0')!.getElement(i, []), i * 5 + 3)
  }
  return attributes
}

function countTriangles(document: Document) {
  const meshes = document
    .getRoot()
    .listNodes()
    .flatMap((node) => node.getMesh() ?? [])
  const primitives = meshes.flatMap((mesh) => mesh.listPrimitives())
  return primitives.reduce((sum, primitive) => sum + primitive.getIndices()!.getCount() / 3, 0)
}
