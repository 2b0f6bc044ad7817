import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const candidates = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/opt/libreoffice/program/soffice']

/** The path of LibreOffice, which is installed on Debian as root. Throws when it is missing. */
function findOffice(): string {
  if (!candidates.some(existsSync) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'ignore' } as const
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'libreoffice-calc-nogui'],
      options,
    )
  }
  const found = candidates.find(existsSync)
  if (!found) throw new Error('This test needs LibreOffice (Debian: apt-get install libreoffice-calc-nogui).')
  return found
}

/** What LibreOffice makes of a file in the locale: each cell with its type, and as CSV what its user sees. */
export function openInOffice(file: Uint8Array, locale: string) {
  const office = findOffice()
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-office-'))
  try {
    const profile = join(folder, 'profile')
    mkdirSync(join(profile, 'user'), { recursive: true })
    writeFileSync(join(profile, 'user', 'registrymodifications.xcu'), settings(locale))
    writeFileSync(join(folder, 'list.xlsx'), file)
    const convert = (to: string) =>
      execFileSync(
        office,
        [
          `-env:UserInstallation=file://${profile}`,
          '--headless',
          '--convert-to',
          to,
          '--outdir',
          folder,
          join(folder, 'list.xlsx'),
        ],
        { stdio: 'ignore' },
      )
    convert('fods')
    // Separated by commas, as UTF-8, as shown.
    convert('csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true')
    return {
      cells: readCells(readFileSync(join(folder, 'list.fods'), 'utf8')),
      csv: readFileSync(join(folder, 'list.csv'), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function settings(locale: string) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>`
}

/** Type and value of each cell that is not empty, or its formula. */
function readCells(fods: string) {
  const [, table = ''] = fods.split('<table:table ')
  return table
    .split('<table:table-row')
    .slice(1)
    .map((row) =>
      [...row.matchAll(/<table:table-cell\b([^>]*)>/g)].flatMap(([, attributes = '']) => {
        const read = (name: string) => attributes.split(` ${name}="`)[1]?.split('"')[0]
        const type = read('office:value-type')
        const value = read('office:value') ?? read('office:date-value')
        const times = Number(read('table:number-columns-repeated') ?? 1)
        return type
          ? Array<string>(times).fill(
              [read('table:formula') ? 'formula' : type, ...(value ? [value] : [])].join(' '),
            )
          : []
      }),
    )
    .filter((row) => row.length > 0)
}
