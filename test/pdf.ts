import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The text of a PDF as Poppler's `pdftotext` copies it, in its lines. */
export async function copyPdfText(file: File): Promise<string[]> {
  installPoppler()
  const input = new Uint8Array(await file.arrayBuffer())
  const text = execFileSync('pdftotext', ['-enc', 'UTF-8', '-', '-'], { input, encoding: 'utf8' })
  // It adds marks of direction.
  return text
    .replace(/[\u202a-\u202e\f]/g, '')
    .normalize('NFC')
    .split('\n')
    .filter(Boolean)
}

function installPoppler() {
  if (isInstalled()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Poppler for the tests …')
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-qq', 'poppler-utils'], { stdio: 'ignore' })
  }
  if (!isInstalled()) throw new Error('The tests need pdftotext (Debian: apt-get install poppler-utils).')
}

function isInstalled() {
  const folders = process.env.PATH?.split(':') ?? []
  return folders.some((folder) => existsSync(`${folder}/pdftotext`))
}
