// How long it takes until a picture from a camera is up and served in every size, what readers notice of it, and how much
// memory many at once take: photographs, and what is made to take much. Memory is read where Linux tells it.
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { demoAdmin } from '#db/seed/accounts.ts'
import { maxPictureBytes, pictureWidths } from '#shop/parts/picture.ts'
import { notPictures } from '#test/pictures.ts'
import { emptyFolder, type Running, runShop, signedIn } from '#test/process.ts'

const rounds = 5
const atOnce = 20
const formats = ['avif', 'webp', 'jpg']
/** The goals: seconds for one photograph, milliseconds for 99 of 100 readers, megabytes of memory. */
const goals = { seconds: 3, p99: 50, megabytes: 600 }

const misses: string[] = []

await measureOne()
const crowds: [name: string, status: number, pictures: () => Promise<Blob[]>][] = [
  ['photographs of 12 megapixels', 200, () => some(atOnce, photograph)],
  ['claims of 60,000 × 60,000', 400, claims],
  ['PNGs of 50 megapixels', 200, () => some(atOnce, poster)],
]
const table = []
for (const [name, status, pictures] of crowds) table.push(await measureCrowd(name, status, await pictures()))
console.log(
  `${atOnce} uploads at once; readers in milliseconds, the most memory in use in MB, all of the process with its database`,
)
console.table(table)

for (const miss of misses) console.error(miss)
if (misses.length === 0) console.log('Every goal is met.')
process.exitCode = misses.length > 0 ? 1 : 0

/** One photograph after the other, while nobody reads and while somebody does. */
async function measureOne() {
  const [warm, ...photographs] = await some(1 + 2 * rounds, photograph)
  console.log(`A photograph of 12 megapixels has ${inMegabytes(warm!.size)} MB.`)

  await withShop(async (shop) => {
    await uploadAndFetch(shop, warm!)
    const alone: number[] = []
    for (const one of photographs.slice(0, rounds)) alone.push(await uploadAndFetch(shop, one))
    const quiet = await whileReading(shop, () => wait(5_000))
    const beside: number[] = []
    const busy = await whileReading(shop, async () => {
      for (const one of photographs.slice(rounds)) beside.push(await uploadAndFetch(shop, one))
    })

    const [nobody, somebody] = [summary(alone), summary(beside)]
    console.log('From the start of an upload until the last of 12 variants is served, in milliseconds')
    console.table({ 'nobody reads': nobody, 'somebody reads': somebody })
    console.log('GET /api/part fifty times a second, in milliseconds')
    console.table({ quiet, meanwhile: busy })
    aim('A photograph while nobody reads takes', nobody.p50 / 1000, goals.seconds, 'seconds')
    aim('A photograph while somebody reads takes', somebody.p50 / 1000, goals.seconds, 'seconds')
    aim('99 of 100 readers meanwhile wait up to', busy.p99, goals.p99, 'ms')
  })
}

function measureCrowd(pictures: string, status: number, all: Blob[]) {
  const tooLarge = all.find(({ size }) => size > maxPictureBytes)
  if (tooLarge) throw new Error(`${pictures}: ${tooLarge.size} bytes are more than the shop takes.`)

  return withShop(async (shop) => {
    const addresses: string[] = []
    for (const _ of all) addresses.push((await shop.admin.createUpload()).url)
    await wait(3_000)
    forgetMemory(shop)
    const before = mostMemory(shop)
    let answers: number[] = []
    let seconds = 0
    const readers = await whileReading(shop, async () => {
      const begun = performance.now()
      const sent = all.map((one, at) => send(shop, addresses[at]!, one))
      answers = (await Promise.all(sent)).map((answer) => answer.status)
      seconds = (performance.now() - begun) / 1000
    })
    const after = mostMemory(shop)

    const right = answers.filter((answer) => answer === status).length
    if (right < all.length) misses.push(`${pictures}: ${answers} were answered, and not all ${status}.`)
    aim(`${all.length} ${pictures} take`, after, goals.megabytes, 'MB')
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

type OpenShop = Running & { admin: Awaited<ReturnType<typeof signedIn>> }

/** Does something with a shop of its own: what was before does not count. */
async function withShop<Result>(work: (shop: OpenShop) => Promise<Result>): Promise<Result> {
  const folder = emptyFolder()
  const shop = await runShop({ DATA_DIR: folder })
  try {
    return await work({ ...shop, admin: await signedIn(shop.origin, demoAdmin) })
  } finally {
    shop.child.kill()
    await shop.ended
    rmSync(folder, { recursive: true })
  }
}

/** The milliseconds from the start of an upload until everything that is made of it has arrived. */
async function uploadAndFetch(shop: OpenShop, picture: Blob) {
  const { url } = await shop.admin.createUpload()
  const begun = performance.now()
  const { status, answer } = await send(shop, url, picture)
  if (status !== 200) throw new Error(`An upload was answered ${status}: ${answer.message}`)
  const variants = pictureWidths.flatMap((width) =>
    formats.map((format) => answer.data.url.replace('.webp', `-${width}.${format}`)),
  )
  await Promise.all(
    variants.map(async (path) => {
      const response = await fetch(shop.origin + path)
      if (!response.ok) throw new Error(`${path} was answered ${response.status}.`)
      await response.bytes()
    }),
  )
  return performance.now() - begun
}

async function send({ origin }: OpenShop, url: string, picture: Blob) {
  const body = new FormData()
  body.set('image', picture, 'picture')
  const response = await fetch(origin + url, { method: 'POST', body })
  return { status: response.status, answer: await response.json() }
}

/** The times of somebody who reads the catalogue fifty times a second while that goes on. */
async function whileReading({ origin }: OpenShop, work: () => Promise<unknown>) {
  const reader = new Worker(resolve('bench/reader.ts'), { workerData: `${origin}/api/part` })
  await work()
  reader.postMessage('stop')
  const [times] = (await once(reader, 'message')) as [number[]]
  return summary(times)
}

/** The most memory counts from now on: while it starts, a process takes more for a moment. */
function forgetMemory({ child }: OpenShop) {
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
}

/** The most memory that the shop's process had in use since then, in megabytes. */
function mostMemory({ child }: OpenShop) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** One after the other: all at once would not fit into memory. */
async function some(count: number, make: () => Promise<Blob>) {
  const made: Blob[] = []
  while (made.length < count) made.push(await make())
  return made
}

/** As a camera takes it: texture everywhere, and noise on it. */
async function photograph() {
  const texture = sharp(...noise(2_000, 1_500)).resize(4_000, 3_000, { kernel: 'cubic' })
  return blob(await texture.linear(0.4, 76).jpeg({ quality: 85 }).toBuffer())
}

/** As many pixels as the shop takes, in large squares: much when it is unpacked, and little before. */
async function poster() {
  const squares = sharp(...noise(500, 390)).resize(8_000, 6_250, { kernel: 'nearest', fit: 'fill' })
  return blob(await squares.png({ compressionLevel: 1 }).toBuffer())
}

async function claims() {
  const files = (await notPictures()).filter(([name]) => name.includes('60,000')).map(([, file]) => file)
  return Array.from({ length: atOnce }, (_, at) => files[at % files.length]!)
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

function aim(what: string, figure: number, goal: number, unit: string) {
  if (figure < goal) return
  misses.push(`${what} ${rounded(figure)} ${unit}; the goal is less than ${goal}.`)
}

function rounded(figure: number) {
  return Math.round(figure * 10) / 10
}

function inMegabytes(bytes: number) {
  return rounded(bytes / 1024 / 1024)
}
