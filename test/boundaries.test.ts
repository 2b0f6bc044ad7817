import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** TABLE 4: who may import whom. */
// biome-ignore format: a table
const mayImport: Record<string, string[]> = {
  app:       ['api', 'shop', 'providers/*/*.client.ts'],
  api:       ['shop'],
  shop:      ['db'],
  providers: ['shop', 'db'],
  db:        [],
  server:    ['app', 'api', 'db', 'providers', 'shop'],
  bench:     ['db', 'shop', 'test'],
  studio:    ['test'],
}

/** What only some folders may know about. */
// biome-ignore format: a table
const keptTo: Record<string, string[]> = {
  '(react|react-dom|react-router)(/|$)':  ['app', 'server/app.ts', 'providers/payments'],
  'hono(/|$)':                            ['api', 'server', 'providers/payments/bank'],
  '(@electric-sql|pg$)':                  ['db'],
  '(@stripe/|stripe$)':                   ['providers/payments'],
  'pg-boss$':                             ['db', 'server/jobs.ts'],
  '(better-auth|@firebase)(/|$)':         ['providers/identity'],
  'nodemailer(/|$)':                      ['providers/mail'],
  'prom-client$':                         ['providers/metrics'],
  '(@aws-sdk/|sharp$)':                   ['providers/images', 'bench', 'studio'],
  '@fastify/busboy$':                     ['api'],
  'three(/|$)':                           ['studio'],
}

const files = globSync(`{${Object.keys(mayImport)}}/**/*.{ts,tsx}`).filter(
  (file) => !/\.test\.tsx?$/.test(file),
)
const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)].map(([, target]) => ({
    file,
    target: target!,
  })),
)

test('there is something to check', () => {
  expect(imports.length).toBeGreaterThan(200)
})

for (const [folder, allowed] of Object.entries(mayImport)) {
  test(`${folder} imports only ${allowed.join(', ') || 'itself'}`, () => {
    const strays = imports.filter(({ file, target }) => {
      const [, other] = /^#(\w+)\//.exec(target) ?? []
      if (!file.startsWith(`${folder}/`) || !other || other === folder || allowed.includes(other))
        return false
      return !(allowed.some((rule) => rule.startsWith(`${other}/`)) && /\.client\.tsx?$/.test(target))
    })
    expect(strays).toEqual([])
  })
}

for (const [library, folders] of Object.entries(keptTo)) {
  test(`only ${folders.join(', ')} knows ${library}`, () => {
    const known = new RegExp(`^${library}`)
    const strays = imports.filter(
      ({ file, target }) => known.test(target) && !folders.some((folder) => file.startsWith(folder)),
    )
    expect(strays).toEqual([])
  })
}

test('of the shop itself, only server/config.ts reads the environment', () => {
  const shop = files.filter((file) => !file.startsWith('bench/'))
  const readers = shop.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
  expect(readers).toEqual(['server/config.ts'])
})

test('a folder is left by its name, never by climbing', () => {
  expect(imports.filter(({ target }) => /^\.\.\/(?!build\/)/.test(target))).toEqual([])
})
