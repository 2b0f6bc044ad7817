import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { settingNames, settings } from '#server/config/settings.ts'

const [begin, end] = ['<!-- settings -->\n', '<!-- end of the settings -->\n']

/** A value that no setting takes: the error says what it must be. */
const wrong = '\n'

function tableOfSettings() {
  const defaults = parseEnv(readFileSync('.env.example', 'utf8'))
  const rows = settingNames.map((name) => {
    const { error } = settings.safeParse({ [name]: wrong })
    const [issue] = error!.issues
    return [
      `\`${name}\``,
      defaults[name] ? `\`${defaults[name]}\`` : '',
      issue!.message.replace('must be ', ''),
    ]
  })
  return formatTable([['setting', 'default', 'value'], ...rows])
}

function formatTable([head, ...rows]: string[][]) {
  const widths = head!.map((_, i) => Math.max(...[head!, ...rows].map((row) => row[i]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

test('docs/operate.md has a row for each setting; vitest -u writes them', async () => {
  const page = readFileSync('docs/operate.md', 'utf8')
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  const expected = `${before}${begin}\n${tableOfSettings()}\n\n${end}${after}`
  await expect(expected).toMatchFileSnapshot('../docs/operate.md')
})
