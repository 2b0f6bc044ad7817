import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { ShopError } from '#shop/errors.ts'
import { countTriangles, describeProblem, findOutsideContent, type GltfContent } from './model-problems.ts'

const maxSeconds = 20
const maxMegabytes = 512
const maxTriangles = 1_000_000

/** Not a file of its own: what is bundled has one file. The validator is CommonJS, and stays outside of the bundle. */
const worker = `
const { parentPort, workerData } = require('node:worker_threads')
require('gltf-validator')
  .validateBytes(workerData, { format: 'glb', writeTimestamp: false, maxIssues: 20 })
  .then(
    ({ issues }) => parentPort.postMessage({ issues: issues.messages }),
    (error) => parentPort.postMessage({ error: String(error) }),
  )`

interface Report {
  error?: string
  issues?: { code: string; message: string; severity: number; pointer?: string }[]
}

/** A hostile file may take all memory of a worker and all its time; only one has so much at a time. */
const oneByOne = pLimit(1)

/** Returns how many triangles it has. Throws 'invalid', in words, for what is no glTF of one file that the shop can show. */
export async function checkModel(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const content = readGltf(bytes)
  const problem = findOutsideContent(content)
  if (problem) throw refuse(problem)
  const { issues = [], error } = await oneByOne(() => validate(bytes))
  const failure = issues.find(({ severity }) => severity === 0)
  if (error || failure) throw refuse(describeProblem(failure ?? { code: '', message: '' }))
  const triangles = countTriangles(content)
  if (triangles === 0) throw refuse('It has no triangles, so there is nothing to show.')
  if (triangles > maxTriangles)
    throw refuse('It has more than 1,000,000 triangles. Reduce it, so that phones can show it.')
  return triangles
}

/** The JSON of a GLB, which has 12 bytes of header, and before it 8 with its length and type. */
export function readGltf(bytes: Uint8Array): GltfContent {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isGlb = bytes.length >= 20 && view.getUint32(0, true) === 0x46546c67
  if (!isGlb) throw refuse('It isn’t a GLB file. Export the model as glTF binary (.glb).')
  if (view.getUint32(4, true) !== 2) throw refuse('It isn’t glTF 2.0. Export the model as glTF 2.0.')
  try {
    const length = view.getUint32(12, true)
    const content = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)))
    if (content !== null && typeof content === 'object') return content
  } catch {
    // Refused below, like any other content that is no object.
  }
  throw refuse('Its content can’t be read. Export the model again.')
}

function validate(bytes: Uint8Array<ArrayBuffer>): Promise<Report> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, {
      eval: true,
      workerData: bytes,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 64 },
    })
    const timer = setTimeout(
      () => end(refuse('Checking it took too long. Reduce the model and try again.')),
      maxSeconds * 1000,
    )
    function end(error: ShopError | null, report: Report = {}) {
      clearTimeout(timer)
      void thread.terminate()
      if (error) reject(error)
      else resolve(report)
    }
    thread.once('message', (report: Report) => end(null, report))
    thread.once('error', () =>
      end(refuse('Checking it took too much memory. Reduce the model and try again.')),
    )
    thread.once('exit', () => end(refuse('It couldn’t be checked. Try again.')))
  })
}

function refuse(problem: string) {
  const message = `This model can’t be used. ${problem}`
  return new ShopError('invalid', message, { fields: { file: [message] } })
}
