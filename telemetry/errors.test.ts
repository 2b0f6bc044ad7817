import { expect, test } from 'vitest'
import { logText, readStackTrace } from './errors.ts'

test('stackTraceOf caps and escapes the message and keeps the calls', () => {
  const forged = `no\n    at forged (file.ts:1:1)\r\u001b[31m\u2028${'x'.repeat(60_000)}`
  const [line, ...calls] = readStackTrace(new TypeError(forged)).split('\n')
  expect(line).toMatch(/^TypeError: no\\u000a {4}at forged \(file\.ts:1:1\)\\u000d\\u001b\[31m\\u2028x+…$/)
  expect(line!.length).toBeLessThan(600)
  expect([500, 501].map((length) => logText('x'.repeat(length)))).toEqual([
    'x'.repeat(500),
    `${'x'.repeat(500)}…`,
  ])
  expect(calls.length).toBeGreaterThan(0)
  for (const call of calls) expect(call).toMatch(/^ +at (?!forged)/)
  expect(readStackTrace(new Error('outer', { cause: new Error('inner') }))).toMatch(/^Error: inner\n/)
})
