import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Builder, Capabilities, Key, type WebElement } from 'selenium-webdriver'
import { freePort } from '#test/process.ts'
import { findNamed, type Screen, type Size, selectText, waitFor } from './screen.ts'

const [driverPath, displayPath] = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb']
const findMiniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1)

/** Safari's engine, as Debian packages it. */
export function hasWebkit(): boolean {
  return [driverPath, displayPath].every((path) => existsSync(path)) && findMiniBrowser() !== undefined
}

export async function openWebkit({ width = 1280, height = 800 }: Partial<Size> = {}): Promise<Screen> {
  const display = await startDisplay({ width, height })
  const port = await freePort()
  const driverProcess = spawn(driverPath, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
  })
  const server = `http://127.0.0.1:${port}`
  await waitFor(async () => (await fetch(`${server}/status`)).ok, 'WebKitWebDriver')
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
      }),
    )
    .build()
  await browser.manage().setTimeouts({ pageLoad: 300_000, script: 300_000 })
  await browser.manage().window().setRect({ x: 0, y: 0, width, height })
  const find = (kind: string, name: string) =>
    waitFor(
      () => browser.executeScript<WebElement | null>(`return (${findNamed})(...arguments)`, kind, name),
      `the ${kind} “${name}”`,
    )
  const run: Screen['run'] = (work, ...args) =>
    browser.executeScript(`return (${work})(...arguments)`, ...args)
  return {
    open: (url) => browser.get(url),
    back: () => browser.navigate().back(),
    reload: () => browser.navigate().refresh(),
    run,
    async click(kind, name) {
      const element = await find(kind, name)
      await browser.executeScript('arguments[0].scrollIntoView({ block: "center" })', element)
      await element.click()
    },
    async fill(name, text) {
      const field = await find('field', name)
      await browser.executeScript(`(${selectText})(arguments[0])`, field)
      await field.sendKeys(Key.BACK_SPACE, text)
    },
    async close() {
      await browser.quit()
      for (const child of [driverProcess, display.child]) child.kill()
    },
  }
}

/** Xvfb says which display it has taken. */
async function startDisplay({ width, height }: Size): Promise<{ name: string; child: ChildProcess }> {
  const child = spawn(displayPath, ['-displayfd', '1', '-screen', '0', `${width}x${height}x24`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface(child.stdout!)) return { name: `:${line}`, child }
  throw new Error('Xvfb did not start')
}
