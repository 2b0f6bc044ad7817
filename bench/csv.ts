// Time and peak memory of the server while it exports 100,000 orders and exports, checks and imports 10,000 parts on Postgres.
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { demoAdmin } from '#db/seed/accounts.ts'
import { startPostgres } from '#test/postgres.ts'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'
import { growShop } from './grow.ts'

const orders = 100_000
const imported = 10_000

const postgres = await startPostgres({ durable: true })
try {
  const url = await postgres.createDatabase('shop')
  const shop = await runShop({ DATA_DIR: emptyFolder(), DATABASE_URL: url, DEMO: 'on' }, [])
  try {
    await growShop(url, 0, orders)
    const authorization = `Bearer ${await accessTokenOf(shop.origin, demoAdmin)}`
    const read = async (path: string) => {
      const response = await fetch(shop.origin + path, { headers: { authorization } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return response.text()
    }
    const send = async (path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(shop.origin + path, request)
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text) as { digest: string; changed: number }
    }
    const { pid } = shop.child
    await measure(pid!, 'export of orders', () => read('/api/exports/orders'))
    await measure(pid!, 'export of orders as xlsx', () => read('/api/exports/orders?format=xlsx'))
    await measure(pid!, 'export of orders by name', () => read('/api/exports/orders?sort=name'))
    const products = await measure(pid!, 'export of products', () => read('/api/exports/products?sort=added'))
    const csv = raisePrices(products)
    const { digest } = await measure(pid!, 'preview', () => send('/api/product-imports/preview', { csv }))
    const { changed } = await measure(pid!, 'import', () => send('/api/product-imports', { csv, digest }))
    console.log(`${changed} parts changed`)
  } catch (error) {
    console.error(shop.output())
    throw error
  } finally {
    shop.child.kill()
    await shop.exited
  }
} finally {
  await postgres.stop()
}

function raisePrices(csv: string) {
  const { data } = Papa.parse<Record<string, string>>(csv.trimEnd(), { header: true })
  return Papa.unparse(data.slice(0, imported).map((row) => ({ ...row, Price: Number(row.Price) + 1 })))
}

async function measure<T>(pid: number, what: string, work: () => Promise<T>): Promise<T> {
  const before = residentMegabytes(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid))
  }, 20)
  const start = performance.now()
  const result = await work().finally(() => clearInterval(timer))
  const size = typeof result === 'string' ? `, ${(result.length / 1e6).toFixed(1)} MB` : ''
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  console.log(`${what}: ${seconds} s${size}, ${before} MB before, at most ${peak} MB`)
  return result
}

function residentMegabytes(pid: number) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}
