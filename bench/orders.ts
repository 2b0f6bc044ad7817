// Orders placed and paid per second by fifty concurrent requests for one part, and the read latency meanwhile, on the embedded engine;
// with `postgres` on a server.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { startPostgres } from '#test/postgres.ts'
import { createSignedInClient, emptyFolder, runShop } from '#test/process.ts'

const orders = 1_000
const concurrency = 50

const server = process.argv.includes('postgres') ? await startPostgres({ durable: true }) : null
const database = server ? { DATABASE_URL: await server.createDatabase('orders'), DEMO: 'on' } : undefined
const shop = await runShop({ DATA_DIR: emptyFolder(), ...database }, [])
try {
  const admin = await createSignedInClient(shop.origin, demoAdmin)
  const customer = await createSignedInClient(shop.origin, demoCustomer)
  const { rows } = await customer.listParts({ body: { sort: 'price' } })
  const part = rows.find(({ minQuantity, availableQuantity }) => availableQuantity >= minQuantity)!
  const quantity = part.minQuantity
  await admin.restockPart({ params: { partId: part._id }, body: { arrived: quantity * orders } })
  const before = (await customer.readPart({ params: { partId: part._id } })).availableQuantity

  const delivery = { address: '4 Canal Street', phoneNumber: '01709876543' }
  const placed = await measure('placed', Array(orders).fill(null), () =>
    customer.placePurchase({ body: { ...delivery, partId: part._id, quantity } }),
  )
  const paid = await measure('paid', placed, async ({ _id: id, price }) => {
    const { clientSecret } = await customer.startPayment({ body: { price, purchase: id } })
    const transactionId = await confirm(clientSecret)
    return customer.payPurchase({ params: { id }, body: { transactionId } })
  })

  const { availableQuantity: after } = await customer.readPart({ params: { partId: part._id } })
  const done = new Set(paid.filter((order) => order.paid).map((order) => order._id))
  console.log(`${done.size} of ${orders} orders are paid; ${before - after} parts left the stock.`)
  process.exitCode = done.size === orders && before - after === orders * quantity ? 0 : 1
} finally {
  shop.child.kill()
  await shop.exited
  await server?.stop()
}

async function measure<Item, Result>(what: string, items: Item[], work: (item: Item) => Promise<Result>) {
  const reader = new Worker(resolve('bench/reader.ts'), { workerData: `${shop.origin}/api/part?limit=12` })
  const results: Result[] = []
  const times: number[] = []
  const queue = [...items]
  const start = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (queue.length > 0) {
        const item = queue.pop() as Item
        const from = performance.now()
        results.push(await work(item))
        times.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  reader.postMessage('stop')
  const [reads] = (await once(reader, 'message')) as [number[]]
  console.log(
    `${(items.length / seconds).toFixed(0)} orders ${what} per second; 99 of 100 within ${p99(times)} ms; readers within ${p99(reads)} ms`,
  )
  return results
}

function p99(times: number[]) {
  times.sort((a, b) => a - b)
  return times[Math.floor((times.length - 1) * 0.99)]!.toFixed(0)
}

async function confirm(clientSecret: string) {
  const [id = ''] = clientSecret.split('_secret_')
  const body = cardBody(clientSecret)
  const response = await fetch(`${shop.origin}${confirmPath(clientSecret)}`, { method: 'POST', body })
  if (!response.ok) throw new Error(await response.text())
  return id
}
