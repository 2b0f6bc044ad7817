import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const debian = '/usr/bin/chromium'
const places = [debian, '/usr/bin/chromium-browser', '/usr/bin/google-chrome', chromium.executablePath()]

/** The Chromium of this machine; installed first where there is none. Throws where none can be had. */
export async function findChromium(): Promise<string> {
  const found = places.find(existsSync)
  if (found) return found
  console.log('Installing Chromium for the browser tests …')
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'ignore' })
  } else {
    execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    })
  }
  const now = places.find(existsSync)
  if (!now) throw new Error('The browser tests need Chromium, and it could not be installed.')
  return now
}
