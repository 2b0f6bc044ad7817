// Every public page at the widths and in the themes that people have, side by side in docs/screens/.
import { mkdirSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from '#test/chromium.ts'
import { emptyFolder, runShop } from '#test/process.ts'

const widths = [360, 768, 1440]
const themes = ['light', 'dark'] as const
/** How wide and how high a page is on its sheet at most, in pixels, in the order of the widths. */
const columns = [150, 230, 330]
const tallest = 1_500
const gap = 16

const shop = await runShop({ DATA_DIR: emptyFolder() })
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const [part] = await (await fetch(`${shop.origin}/api/part?limit=1`)).json()
  const pages = {
    home: '/',
    parts: '/parts',
    'parts-list': '/parts?view=list&category=Drivetrain',
    'parts-nothing': '/parts?q=penny-farthing',
    part: `/parts/${part._id}`,
    blogs: '/blogs',
    portfolio: '/portfolio',
    login: '/login',
    registration: '/registration',
    terms: '/terms',
    privacy: '/privacy',
    returns: '/returns',
    'not-found': '/no/such/page',
  }
  mkdirSync('docs/screens', { recursive: true })
  for (const [name, path] of Object.entries(pages)) {
    const shots: Buffer[] = []
    for (const colorScheme of themes) {
      for (const [i, width] of widths.entries()) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
        await page.goto(shop.origin + path)
        await wake(page)
        const whole = await page.screenshot({ fullPage: true })
        await page.close()
        shots.push(await reduce(whole, columns[i]!))
      }
    }
    const file = `docs/screens/${name}.webp`
    await sheet(shots, file)
    console.log(file)
  }
} finally {
  await browser.close()
  shop.child.kill()
  await shop.ended
}

/** Scrolls to the end and back, so that pictures that wait to be seen are there. */
async function wake(page: Page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    scrollTo(0, 0)
    // One that stays out of sight would never come.
    const late = new Promise((resolve) => setTimeout(resolve, 2_000))
    await Promise.race([
      late,
      Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
    ])
  })
}

async function reduce(picture: Buffer, width: number) {
  const small = await sharp(picture).resize({ width }).toBuffer()
  const { height } = await sharp(small).metadata()
  return height > tallest
    ? sharp(small).extract({ left: 0, top: 0, width, height: tallest }).toBuffer()
    : small
}

async function sheet(shots: Buffer[], file: string) {
  let left = gap
  const placed = []
  let height = 0
  for (const input of shots) {
    const size = await sharp(input).metadata()
    placed.push({ input, left, top: gap })
    left += size.width + gap
    height = Math.max(height, size.height)
  }
  await sharp({ create: { width: left, height: height + 2 * gap, channels: 3, background: '#8b97a3' } })
    .composite(placed)
    .webp({ quality: 72 })
    .toFile(file)
}
