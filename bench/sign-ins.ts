// Sign-ins per second, read latency meanwhile, and whether response times reveal which emails have accounts.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'

const people = 50
const batches = 5
const rounds = 100
/** Milliseconds for the p99 of reads, and the maximum relative difference of two medians. */
const goals = { p99: 50, maxDifference: 0.1 }

const person = (i: number) => ({ name: `Person ${i}`, email: email(i), password: 'wheels-1992' })
const email = (i: number) => `person-${i}@example.com`

const shop = await runShop({ DATA_DIR: emptyFolder() }, [])
try {
  for (let i = 0; i < people; i++) await post('sign-up/email', person(i))

  const idle = await whileReading(() => wait(5_000))
  const start = performance.now()
  const loaded = await whileReading(async () => {
    for (let batch = 0; batch < batches; batch++) {
      const all = Array.from({ length: people }, (_, i) => accessTokenOf(shop.origin, person(i)))
      await Promise.all(all)
    }
  })
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${people} people at once, ${batches} times: ${((people * batches) / seconds).toFixed(1)} sign-ins per second`,
  )
  console.table({ 'GET /api/part, idle': idle, 'GET /api/part, during sign-ins': loaded })

  const wrong = await compare((who) => post('sign-in/email', { email: who, password: 'not-this-one' }))
  console.log('A wrong password, milliseconds')
  console.table(wrong)
  const reset = await compare((who) => post('request-password-reset', { email: who }))
  console.log('Requesting a password reset, milliseconds')
  console.table(reset)

  const failures = [
    loaded.p99 >= goals.p99 && 'Readers wait too long while people sign in.',
    relativeDifference(wrong) > goals.maxDifference && 'The time of a refusal tells who has an account.',
    relativeDifference(reset) > goals.maxDifference && 'The time of a reset tells who has an account.',
  ].filter((failure) => failure !== false)
  for (const failure of failures) console.error(failure)
  process.exitCode = failures.length > 0 ? 1 : 0
} finally {
  shop.child.kill()
  await shop.exited
}

function post(path: string, body: object) {
  const headers = { origin: shop.origin, 'content-type': 'application/json' }
  return fetch(`${shop.origin}/identity/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function whileReading(work: () => Promise<unknown>) {
  const reader = new Worker(resolve('bench/reader.ts'), { workerData: `${shop.origin}/api/part` })
  await work()
  reader.postMessage('stop')
  const [times] = (await once(reader, 'message')) as [number[]]
  return summary(times)
}

async function compare(work: (email: string) => Promise<Response>) {
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    await timed(known, () => work(email(i % people)))
    await timed(unknown, () => work(`nobody-${i % people}@example.com`))
  }
  return { known: summary(known), unknown: summary(unknown) }
}

async function timed(times: number[], work: () => Promise<Response>) {
  const start = performance.now()
  await (await work()).bytes()
  times.push(performance.now() - start)
}

function summary(times: number[]) {
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)]! * 10) / 10
  return { requests: times.length, p10: at(0.1), median: at(0.5), p90: at(0.9), p99: at(0.99) }
}

function relativeDifference({ known, unknown }: Awaited<ReturnType<typeof compare>>) {
  return Math.abs(known.median - unknown.median) / unknown.median
}
