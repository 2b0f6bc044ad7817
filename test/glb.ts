interface Gltf {
  [key: string]: unknown
}

const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0])

/** The smallest model: one triangle. `change` replaces parts of its content. */
export function triangle(change: Gltf = {}) {
  const content = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    ],
    bufferViews: [{ buffer: 0, byteLength: corners.byteLength }],
    buffers: [{ byteLength: corners.byteLength }],
    ...change,
  }
  return toGlb(JSON.stringify(content), corners.buffer)
}

export function toGlb(json: string, binary: ArrayBuffer = new ArrayBuffer(0)) {
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4))
  const chunks = [
    chunk(0x4e4f534a, text),
    ...(binary.byteLength > 0 ? [chunk(0x004e4942, Buffer.from(binary))] : []),
  ]
  const header = Buffer.alloc(12)
  header.writeUInt32LE(0x46546c67, 0)
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(12 + chunks.reduce((sum, { length }) => sum + length, 0), 8)
  return new Uint8Array(Buffer.concat([header, ...chunks]))
}

function chunk(type: number, content: Buffer) {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(content.length, 0)
  head.writeUInt32LE(type, 4)
  return Buffer.concat([head, content])
}

export function toBase64(file: Uint8Array) {
  return Buffer.from(file).toString('base64')
}
