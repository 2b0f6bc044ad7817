import { existsSync } from 'node:fs'
import puppeteer, { type ElementHandle } from 'puppeteer-core'
import { findNamed, type Screen, type Size, selectText, waitFor } from './screen.ts'

const candidates = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/usr/bin/firefox-nightly']

export function findFirefox(): string | undefined {
  return candidates.find(existsSync)
}

interface Options extends Partial<Size> {
  preferences?: Record<string, string | number | boolean>
}

export async function openFirefox({
  width = 1280,
  height = 800,
  preferences = {},
}: Options = {}): Promise<Screen> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox()!,
    headless: true,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, ...preferences },
    defaultViewport: { width, height },
    protocolTimeout: 300_000,
  })
  const [page = await browser.newPage()] = await browser.pages()
  page.setDefaultTimeout(120_000)
  const find = (kind: string, name: string) =>
    waitFor(async () => {
      const handle = await page.evaluateHandle(findNamed, kind, name)
      return handle.asElement() as ElementHandle<HTMLElement> | null
    }, `the ${kind} “${name}”`)
  return {
    open: async (url) => void (await page.goto(url)),
    // puppeteer would wait for the load of a page that the cache shows without one.
    back: () => page.evaluate(() => history.back()),
    reload: async () => void (await page.reload()),
    // As text, like WebKit's: `evaluate` would have types of its own.
    run: (work, ...args) => page.evaluate(`(${work})(...${JSON.stringify(args)})`) as never,
    async click(kind, name) {
      const element = await find(kind, name)
      await element.evaluate((one) => one.scrollIntoView({ block: 'center' }))
      await element.click()
    },
    async fill(name, text) {
      const field = await find('field', name)
      await field.evaluate(selectText)
      await page.keyboard.press('Backspace')
      await page.keyboard.type(text)
    },
    close: () => browser.close(),
  }
}
