import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Chromium without the windows of a browser, which would cost a third of the tests' time. */
const shell = '/usr/bin/chromium-headless-shell'
const places = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
]

/** The Chromium of this machine; installed first where there is none. Throws where none can be had. */
export async function findChromium(): Promise<string> {
  const debian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const found = debian ? [shell].find(existsSync) : places.find(existsSync)
  if (found) return found
  console.log('Installing Chromium for the browser tests …')
  const install = (...packages: string[]) =>
    execFileSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'ignore' })
  if (debian) {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    try {
      install('chromium-headless-shell')
    } catch {
      // Older releases of Debian have the whole browser alone.
      if (!places.some(existsSync)) install('chromium')
    }
  } else {
    execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    })
  }
  const now = places.find(existsSync)
  if (!now) throw new Error('The browser tests need Chromium, and it could not be installed.')
  return now
}
