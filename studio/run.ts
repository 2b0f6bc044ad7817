// Renders the photographs of the demo's parts, or only of the named ones, and a contact sheet at docs/screens/studio.webp.
// --draft renders small, quick ones to test-results/studio/; --models writes models to db/seed/models/
// instead, and --drawing the assembly drawing to db/seed/drawings/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createServer } from 'vite'
import { findChromium } from '../test/chromium.ts'
import { compress } from './compress.ts'
import { layOut } from './sheet.ts'

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const draft = process.argv.includes('--draft')
const models = process.argv.includes('--models')
const drawing = process.argv.includes('--drawing')
const modelBytes = 290 * 1024
const folder = draft ? 'test-results/studio' : 'db/seed/pictures'
const quality = draft ? { width: 800, height: 600, passes: 8 } : { width: 1600, height: 1200, passes: 24 }

const begun = performance.now()
const server = await createServer({
  configFile: false,
  root: 'studio',
  logLevel: 'error',
  server: { host: '127.0.0.1', port: 0, hmr: false },
  optimizeDeps: { noDiscovery: true },
})
await server.listen()
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
try {
  const { page, all, names } = await openPage()
  if (drawing) await draw(page)
  else if (models) for (const name of names) await writeModel(page, name)
  else await photograph(page, all, names)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
}

async function openPage() {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error.stack))
  await page.goto(server.resolvedUrls!.local[0]!)
  await page.waitForFunction(() => 'shoot' in window)
  const all = await page.evaluate(() => window.partNames)
  const unknown = named.filter((name) => !all.includes(name))
  if (unknown.length > 0)
    throw new Error(`Unknown part: ${unknown.join(', ')}. Choose from ${all.join(', ')}.`)
  return { page, all, names: named.length > 0 ? [...new Set(named)] : all }
}

async function photograph(page: Page, all: string[], names: string[]) {
  await page.evaluate((how) => window.openStudio(how), quality)
  mkdirSync(folder, { recursive: true })
  for (const name of names) for (const view of [0, 1] as const) await shoot(page, name, view)
  if (!draft) await layOut(all, folder, 'docs/screens/studio.webp')
  console.log(`${2 * names.length} pictures in ${secondsSince(begun)} s.`)
}

async function shoot(page: Page, name: string, view: 0 | 1) {
  const started = performance.now()
  const picture = await page.evaluate(([part, side]) => window.shoot(part, side), [name, view] as const)
  const file = `${folder}/${name}-${view + 1}.webp`
  const { size } = await sharp(Buffer.from(picture, 'base64')).webp({ quality: 88, effort: 6 }).toFile(file)
  console.log(`${file}  ${Math.round(size / 1024)} KB  ${secondsSince(started)} s`)
}

async function draw(page: Page) {
  const { picture, middles } = await page.evaluate(() => window.drawDrivetrain(1600, 1200))
  const file = 'db/seed/drawings/drivetrain.webp'
  mkdirSync('db/seed/drawings', { recursive: true })
  const { size } = await sharp(Buffer.from(picture, 'base64')).webp({ quality: 86, effort: 6 }).toFile(file)
  console.log(`${file}  ${Math.round(size / 1024)} KB`, middles)
}

async function writeModel(page: Page, name: string) {
  const started = performance.now()
  const whole = Buffer.from(await page.evaluate((part) => window.exportModel(part), name), 'base64')
  const { bytes, triangles, error, pictures } = await compress(whole, modelBytes)
  const file = `db/seed/models/${name}.glb`
  mkdirSync('db/seed/models', { recursive: true })
  writeFileSync(file, bytes)
  console.log(
    `${file}  ${Math.round(bytes.length / 1024)} KB  ${triangles} triangles  ${(error * 1000).toFixed(2)} mm ${pictures} px  ${secondsSince(started)} s`,
  )
}

function secondsSince(started: number) {
  return ((performance.now() - started) / 1000).toFixed(1)
}
