import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { emptyFolder } from './process.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [, path = '', ...words] = script.split(' ')
  // Containers call the program that does the work. `server/dev.ts` is none.
  const own = join('server', `${name}.ts`)
  const hasOwn = name !== 'dev' && existsSync(own)
  const programs = path.startsWith('bin/') ? [path, ...(hasOwn ? [own] : [])] : []
  return programs.map((program) => [program, ...words] as const)
})

/** The programs alone: neither packages nor a build. */
const folder = emptyFolder()
beforeAll(() => {
  for (const name of ['bin', 'server', 'package.json']) cpSync(name, join(folder, name), { recursive: true })
})

async function run([program, ...words]: readonly [string, ...string[]], ...options: string[]) {
  const child = spawn(process.execPath, [program, ...words, ...options], { cwd: folder })
  const exited = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await exited
  return { status, stdout, stderr }
}

const usage = /^Usage: npm (run |start|test).*\n\S.*\.\n$/

test('every command prints its usage for --help, and does nothing else', async () => {
  expect(commands.length).toBeGreaterThan(30)
  const before = readdirSync(folder, { recursive: true })
  for (const command of commands)
    expect(await run(command, '--help'), command.join(' ')).toEqual({
      status: 0,
      stdout: expect.stringMatching(usage),
      stderr: '',
    })
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
})

test('every command refuses an unknown option with its usage and 2, and does nothing', async () => {
  const before = readdirSync(folder, { recursive: true })
  for (const command of commands) {
    const { status, stdout, stderr } = await run(command, '--confrim')
    expect([status, stdout], command.join(' ')).toEqual([2, ''])
    const [first, ...lines] = stderr.split('\n')
    expect(first).toBe("Unknown option '--confrim'.")
    expect(lines.join('\n')).toMatch(usage)
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
})

test('a command refuses words and values that it does not take', async () => {
  for (const words of [
    ['bin/backup.mjs', 'one', 'two'],
    ['bin/restore.mjs'],
    ['bin/move-data.mjs', '--to', 'server'],
    ['bin/move-data.mjs'],
    ['bin/grant-admin.mjs'],
    ['bin/remove-demo.mjs', 'confirm'],
    ['bin/soak.mjs', '--runs', 'many'],
    ['bin/soak.mjs', '--test', 'orders'],
    ['bin/start.mjs', 'stop'],
  ] as [string, ...string[]][]) {
    const { status, stdout, stderr } = await run(words)
    expect([status, stdout, stderr], words.join(' ')).toEqual([2, '', expect.stringMatching(usage)])
  }
})
