import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Headless shell first: full Chromium costs a third of the tests' time. */
const shell = '/usr/bin/chromium-headless-shell'
const candidates = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
]

/** The path of Chromium, which is installed if missing. Throws when that fails. */
export async function findChromium(): Promise<string> {
  const canUseApt = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const found = canUseApt ? [shell].find(existsSync) : candidates.find(existsSync)
  if (found) return found
  console.log('Installing Chromium for the browser tests …')
  const install = (...packages: string[]) =>
    execFileSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'ignore' })
  if (canUseApt) {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    try {
      install('chromium-headless-shell')
    } catch {
      // Older Debian releases have only the full browser.
      if (!candidates.some(existsSync)) install('chromium')
    }
  } else {
    execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    })
  }
  const installed = candidates.find(existsSync)
  if (!installed) throw new Error('The browser tests need Chromium, and it could not be installed.')
  return installed
}
