// How many orders a second are placed, and paid from end to end, by fifty people at once on one part; and what readers notice.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { emptyFolder, runShop, signedIn } from '#test/process.ts'

const orders = 1_000
const atOnce = 50

const shop = await runShop({ DATA_DIR: emptyFolder() })
try {
  const admin = await signedIn(shop.origin, demoAdmin)
  const customer = await signedIn(shop.origin, demoCustomer)
  const { rows } = await customer.listParts({ body: { sort: 'price' } })
  const part = rows.find(({ minQuantity, availableQuantity }) => availableQuantity >= minQuantity)!
  const quantity = part.minQuantity
  await admin.restockPart({ params: { partId: part._id }, body: { arrived: quantity * orders } })
  const before = (await customer.readPart({ params: { partId: part._id } })).availableQuantity

  const delivery = { address: '4 Canal Street', phoneNumber: '01709876543' }
  const placed = await measure('placed', Array(orders).fill(null), () =>
    customer.placeOrder({ body: { ...delivery, partId: part._id, quantity } }),
  )
  const paid = await measure('paid', placed, async ({ _id: id, price }) => {
    const { clientSecret } = await customer.startPayment({ body: { price, purchase: id } })
    const transactionId = await confirm(clientSecret)
    return customer.payOrder({ params: { id }, body: { transactionId } })
  })

  const { availableQuantity: after } = await customer.readPart({ params: { partId: part._id } })
  const done = new Set(paid.filter((order) => order.paid).map((order) => order._id))
  console.log(`${done.size} of ${orders} orders are paid; ${before - after} parts left the stock.`)
  process.exitCode = done.size === orders && before - after === orders * quantity ? 0 : 1
} finally {
  shop.child.kill()
  await shop.ended
}

/** Does something with each of many, fifty at a time, and says how fast that was and how long readers waited meanwhile. */
async function measure<One, Result>(what: string, all: One[], work: (one: One) => Promise<Result>) {
  const reader = new Worker(resolve('bench/reader.ts'), { workerData: `${shop.origin}/api/part?limit=12` })
  const results: Result[] = []
  const times: number[] = []
  const left = [...all]
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left.length > 0) {
        const one = left.pop() as One
        const from = performance.now()
        results.push(await work(one))
        times.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  reader.postMessage('stop')
  const [reads] = (await once(reader, 'message')) as [number[]]
  console.log(
    `${(all.length / seconds).toFixed(0)} orders ${what} per second; 99 of 100 within ${at99(times)} ms; readers within ${at99(reads)} ms`,
  )
  return results
}

function at99(times: number[]) {
  times.sort((a, b) => a - b)
  return times[Math.floor((times.length - 1) * 0.99)]!.toFixed(0)
}

/** As the test bank's form does it. */
async function confirm(clientSecret: string) {
  const [id = ''] = clientSecret.split('_secret_')
  const body = cardBody(clientSecret)
  const answer = await fetch(`${shop.origin}${confirmPath(clientSecret)}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
  return id
}
