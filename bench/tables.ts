// Response time and size of the admin tables with 10,000 rows each in the embedded database.
import { openDatabase } from '#db/database.ts'
import { messages, orderLines, orders, parts, pictures, users } from '#db/schema.ts'
import { demoAdmin } from '#db/seed/accounts.ts'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'
import { catalogue, firsts, randomFrom, seconds } from './catalogue.ts'

const size = 10_000
const rounds = 25
/** Per request: median in milliseconds, and bytes of JSON before compression. */
const goals = { median: 150, bytes: 40_000 }

const folder = emptyFolder()
await fill(folder)
const shop = await runShop({ DATA_DIR: folder }, [])
try {
  const token = await accessTokenOf(shop.origin, demoAdmin)
  const rows = []
  for (const [table, queries] of Object.entries(requests())) {
    for (const query of queries) rows.push(await measure(table, query, token))
  }
  console.table(rows)
  const failures = rows.filter(({ median, bytes }) => median >= goals.median || bytes >= goals.bytes)
  for (const { table, query } of failures) console.error(`${table}${query} misses its goal`)
  process.exitCode = failures.length > 0 ? 1 : 0
} finally {
  shop.child.kill()
  await shop.exited
}

function requests(): Record<string, string[]> {
  const last = `?limit=20&page=${size / 20}`
  const first = '?limit=20'
  const sorted = (...keys: string[]) =>
    keys.flatMap((key) => [`${first}&sort=${key}`, `${first}&sort=-${key}`])
  return {
    '/api/user': [
      first,
      last,
      `${first}&q=mill`,
      `${first}&q=nobody`,
      `${first}&role=admin`,
      ...sorted('email', 'role'),
    ],
    '/api/purchase': [
      ...[first, last, `${first}&q=mill`, `${first}&q=chain`, `${first}&q=nothing like it`],
      ...['unpaid', 'pending', 'shipped', 'expired'].map((status) => `${first}&status=${status}`),
      ...sorted('name', 'parts', 'quantity', 'price'),
    ],
    '/api/products': [
      ...[`${first}&sort=-added`, last, `${first}&q=chain`],
      ...sorted('name', 'minQuantity', 'availableQuantity', 'price'),
    ],
    '/api/messages': [
      first,
      last,
      `${first}&q=m`,
      `${first}&q=mill`,
      `${first}&q=spokes made`,
      ...sorted('name', 'added'),
    ],
  }
}

async function measure(table: string, query: string, token: string) {
  const times: number[] = []
  let bytes = 0
  let total = ''
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const response = await fetch(shop.origin + table + query, {
      headers: { authorization: `Bearer ${token}` },
    })
    bytes = (await response.bytes()).length
    times.push(performance.now() - start)
    if (!response.ok) throw new Error(`${table}${query} returned ${response.status}`)
    total = response.headers.get('x-total-count') ?? ''
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)]! * 10) / 10
  return { table, query, total, median: at(0.5), p95: at(0.95), bytes }
}

async function fill(path: string) {
  const { db, close } = await openDatabase({ kind: 'folder', path })
  const random = randomFrom(1992)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const numbers = Array.from({ length: size }, (_, i) => i)

  const people = numbers.map((i) => {
    const [name, surname] = [pick(firsts), `${pick(firsts)}${pick(seconds)}`]
    const email = `${name}.${surname}.${i}@example.com`.toLowerCase()
    return { _id: `user-${i}`, issuer: 'bench', subject: `${i}`, email, name: `${name} ${surname}` }
  })
  const partRows = catalogue(size).map((part, i) => ({ ...part, _id: `part-${i}` }))
  const orderRows = numbers.map((i) => {
    const { _id: userId, name, email } = pick(people)
    const { _id: partId, name: parts, perUnitPrice: unitPrice, minQuantity: quantity } = pick(partRows)
    const createdAt = daysAgo(((size - i) / size) * 700)
    const state = pick(['unpaid', 'expired', 'pending', 'shipped', 'shipped', 'shipped'])
    const paid = state === 'pending' || state === 'shipped'
    const [_id, address] = [`order-${i}`, `${1 + (i % 90)} ${pick(firsts)}${pick(seconds)} Street`]
    const order = {
      _id,
      userId,
      name,
      email,
      address,
      phoneNumber: '5550100',
      createdAt,
      price: quantity * unitPrice,
      lineCount: 1,
    }
    const line = {
      _id,
      orderId: _id,
      position: 1,
      partId,
      parts,
      unitPrice,
      quantity,
      price: quantity * unitPrice,
      ...(state === 'expired' && { expiredAt: createdAt }),
      ...(paid && { paidAt: createdAt, transactionId: `pi_${crypto.randomUUID()}` }),
      ...(state === 'shipped' && { shippedAt: createdAt, shippedQuantity: quantity }),
    }
    return { order, line }
  })
  const messageRows = numbers.map(() => {
    const { name, email } = pick(people)
    const words = partRows.slice(Math.floor(random() * 9_000)).slice(0, 3)
    const message = words.map((part) => `Do you still make the ${part.name}? ${part.description}`).join('\n')
    return { name, email, phone: '5550100', message }
  })

  await db.insert(pictures).values({ url: '/images/chain.webp' })
  for (let from = 0; from < size; from += 500) {
    await db.insert(users).values(people.slice(from, from + 500))
    await db.insert(parts).values(partRows.slice(from, from + 500))
  }
  for (let from = 0; from < size; from += 500) {
    const rows = orderRows.slice(from, from + 500)
    await db.insert(orders).values(rows.map(({ order }) => order))
    await db.insert(orderLines).values(rows.map(({ line }) => line))
    await db.insert(messages).values(messageRows.slice(from, from + 500))
  }
  await close()
}
