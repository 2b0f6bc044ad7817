import { globSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const files = globSync('{api,app,bank,bin,db,providers,server,shop,telemetry}/**/*.{ts,tsx,mjs}').filter(
  (file) => !/\.(test|e2e)\.tsx?$/.test(file),
)

interface Expression {
  source: string
  flags: string
  file: string
}

/** Built from constants, and read by hand: no part of them comes from a request. */
const composed = [
  'app/auth/session.ts',
  'app/catalogue/part-name.tsx',
  'providers/images/image-url.ts',
  'server/cache/stored-response.ts',
  'shop/specifications/units.ts',
  'telemetry/redact.ts',
]

/** So that a busy machine says the same; what only a fast one bears is refused, too. */
const untimed = {
  randomSeed: 1,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  seedingTimeout: null,
}

test('every regular expression takes time in proportion to its text', async () => {
  const expressions = files.flatMap(readExpressions)
  expect(expressions.length).toBeGreaterThan(150)
  const distinct = new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one]))
  const slow: string[] = []
  for (const [text, { source, flags, file }] of distinct) {
    // Without one, each attempt is as long as the expression at most.
    if (!/[*+]|\{\d+,\}/.test(source)) continue
    const { status, ...rest } = await check(source, flags, untimed)
    if (status !== 'safe') slow.push(`${file}: ${text} ${JSON.stringify(rest)}`)
  }
  expect(slow).toEqual([])
})

function readExpressions(file: string): Expression[] {
  const found: Expression[] = []
  const refuseComposed = ({ callee }: { callee: object }) => {
    if ('name' in callee && callee.name === 'RegExp') expect(composed, 'composed expressions').toContain(file)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ source: node.regex.pattern, flags: node.regex.flags, file })
    },
    NewExpression: refuseComposed,
    CallExpression: refuseComposed,
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}
