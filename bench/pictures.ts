// Time to upload a photo and serve all its sizes, read latency meanwhile, and peak memory of concurrent uploads.
// Linux only: memory is read from /proc.
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { demoAdmin } from '#db/seed/accounts.ts'
import { maxPictureBytes, pictureWidths } from '#shop/pictures/picture.ts'
import { notPictures } from '#test/pictures.ts'
import { createSignedInClient, emptyFolder, type RunningShop, runShop } from '#test/process.ts'

const rounds = 5
const concurrency = 20
const formats = ['avif', 'webp', 'jpg']
/** Seconds per photo, milliseconds for the p99 of reads, megabytes of memory. */
const goals = { seconds: 3, p99: 50, megabytes: 600 }

const failures: string[] = []

await measureOne()
const scenarios: [name: string, status: number, pictures: () => Promise<Blob[]>][] = [
  ['photographs of 12 megapixels', 200, () => createMany(concurrency, photograph)],
  ['claims of 60,000 × 60,000', 400, hugeHeaders],
  ['PNGs of 50 megapixels', 200, () => createMany(concurrency, poster)],
]
const table = []
for (const [name, status, pictures] of scenarios)
  table.push(await measureConcurrent(name, status, await pictures()))
console.log(
  `${concurrency} uploads at once; readers in milliseconds, the most memory in use in MB, all of the process with its database`,
)
console.table(table)

for (const failure of failures) console.error(failure)
if (failures.length === 0) console.log('All goals are met.')
process.exitCode = failures.length > 0 ? 1 : 0

async function measureOne() {
  const [warm, ...photographs] = await createMany(1 + 2 * rounds, photograph)
  console.log(`A photograph of 12 megapixels has ${inMegabytes(warm!.size)} MB.`)

  await withShop(async (shop) => {
    await uploadAndFetch(shop, warm!)
    const idleTimes: number[] = []
    for (const one of photographs.slice(0, rounds)) idleTimes.push(await uploadAndFetch(shop, one))
    const idleReads = await whileReading(shop, () => wait(5_000))
    const loadedTimes: number[] = []
    const loadedReads = await whileReading(shop, async () => {
      for (const one of photographs.slice(rounds)) loadedTimes.push(await uploadAndFetch(shop, one))
    })

    const [idleUpload, loadedUpload] = [summary(idleTimes), summary(loadedTimes)]
    console.log('From the start of an upload until the last of 12 variants is served, in milliseconds')
    console.table({ 'without readers': idleUpload, 'with readers': loadedUpload })
    console.log('GET /api/part fifty times a second, in milliseconds')
    console.table({ idle: idleReads, 'during uploads': loadedReads })
    checkGoal('A photograph without readers takes', idleUpload.p50 / 1000, goals.seconds, 'seconds')
    checkGoal('A photograph with readers takes', loadedUpload.p50 / 1000, goals.seconds, 'seconds')
    checkGoal('99 of 100 readers meanwhile wait up to', loadedReads.p99, goals.p99, 'ms')
  })
}

function measureConcurrent(pictures: string, status: number, all: Blob[]) {
  const tooLarge = all.find(({ size }) => size > maxPictureBytes)
  if (tooLarge) throw new Error(`${pictures}: ${tooLarge.size} bytes exceed the shop's limit.`)

  return withShop(async (shop) => {
    const urls: string[] = []
    for (const _ of all) urls.push((await shop.admin.createUpload()).url)
    await wait(3_000)
    resetPeakMemory(shop)
    const before = peakMemory(shop)
    let answers: number[] = []
    let seconds = 0
    const readers = await whileReading(shop, async () => {
      const start = performance.now()
      const sent = all.map((one, at) => send(shop, urls[at]!, one))
      answers = (await Promise.all(sent)).map((answer) => answer.status)
      seconds = (performance.now() - start) / 1000
    })
    const after = peakMemory(shop)

    const right = answers.filter((answer) => answer === status).length
    if (right < all.length) failures.push(`${pictures}: ${answers} were answered, and not all ${status}.`)
    checkGoal(`${all.length} ${pictures} take`, after, goals.megabytes, 'MB')
    return {
      pictures,
      answered: `${right} × ${status}`,
      seconds: rounded(seconds),
      'MB before': before,
      'MB after': after,
      'readers p50': readers.p50,
      'readers p99': readers.p99,
    }
  })
}

type OpenShop = RunningShop & { admin: Awaited<ReturnType<typeof createSignedInClient>> }

/** A new shop per measurement: memory use depends on earlier work. */
async function withShop<Result>(work: (shop: OpenShop) => Promise<Result>): Promise<Result> {
  const folder = emptyFolder()
  const shop = await runShop({ DATA_DIR: folder }, [])
  try {
    return await work({ ...shop, admin: await createSignedInClient(shop.origin, demoAdmin) })
  } finally {
    shop.child.kill()
    await shop.exited
    rmSync(folder, { recursive: true })
  }
}

async function uploadAndFetch(shop: OpenShop, picture: Blob) {
  const { url } = await shop.admin.createUpload()
  const start = performance.now()
  const { status, answer } = await send(shop, url, picture)
  if (status !== 200) throw new Error(`An upload returned ${status}: ${answer.message}`)
  const variants = pictureWidths.flatMap((width) =>
    formats.map((format) => answer.data.url.replace('.webp', `-${width}.${format}`)),
  )
  await Promise.all(
    variants.map(async (path) => {
      const response = await fetch(shop.origin + path)
      if (!response.ok) throw new Error(`${path} returned ${response.status}.`)
      await response.bytes()
    }),
  )
  return performance.now() - start
}

async function send({ origin }: OpenShop, url: string, picture: Blob) {
  const body = new FormData()
  body.set('image', picture, 'picture')
  const response = await fetch(origin + url, { method: 'POST', body })
  return { status: response.status, answer: await response.json() }
}

async function whileReading({ origin }: OpenShop, work: () => Promise<unknown>) {
  const reader = new Worker(resolve('bench/reader.ts'), { workerData: `${origin}/api/part` })
  await work()
  reader.postMessage('stop')
  const [times] = (await once(reader, 'message')) as [number[]]
  return summary(times)
}

/** Resets the peak, which is higher during startup. */
function resetPeakMemory({ child }: OpenShop) {
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
}

function peakMemory({ child }: OpenShop) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Sequential: in parallel the pictures would not fit into memory. */
async function createMany(count: number, make: () => Promise<Blob>) {
  const made: Blob[] = []
  while (made.length < count) made.push(await make())
  return made
}

async function photograph() {
  const texture = sharp(...noise(2_000, 1_500)).resize(4_000, 3_000, { kernel: 'cubic' })
  return blob(await texture.linear(0.4, 76).jpeg({ quality: 85 }).toBuffer())
}

/** The maximum of pixels in large squares: a small file that is large when decoded. */
async function poster() {
  const squares = sharp(...noise(500, 390)).resize(8_000, 6_250, { kernel: 'nearest', fit: 'fill' })
  return blob(await squares.png({ compressionLevel: 1 }).toBuffer())
}

async function hugeHeaders() {
  const files = (await notPictures()).filter(([name]) => name.includes('60,000')).map(([, file]) => file)
  return Array.from({ length: concurrency }, (_, at) => files[at % files.length]!)
}

function noise(width: number, height: number) {
  const pixels = randomFillSync(Buffer.alloc(width * height * 3))
  return [pixels, { raw: { width, height, channels: 3 } }] as const
}

function blob(bytes: Buffer) {
  return new Blob([new Uint8Array(bytes)])
}

function summary(times: number[]) {
  times.sort((a, b) => a - b)
  const at = (share: number) => rounded(times[Math.floor((times.length - 1) * share)]!)
  return { times: times.length, p50: at(0.5), p99: at(0.99), most: at(1) }
}

function checkGoal(what: string, figure: number, goal: number, unit: string) {
  if (figure < goal) return
  failures.push(`${what} ${rounded(figure)} ${unit}; the goal is less than ${goal}.`)
}

function rounded(figure: number) {
  return Math.round(figure * 10) / 10
}

function inMegabytes(bytes: number) {
  return rounded(bytes / 1024 / 1024)
}
