import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'

/** Folders, and files that are the door of theirs. */
// biome-ignore format: a table
const allowedImports: Record<string, string[]> = {
  app:       ['api', 'shop', 'providers/**/*.client.{ts,tsx}', 'bank/card/card-form.client.tsx', 'telemetry'],
  api:       ['shop', 'telemetry'],
  shop:      ['db', 'telemetry'],
  bank:      [],
  providers: ['shop', 'db', 'bank/bank.ts', 'telemetry'],
  db:        ['telemetry'],
  telemetry: [],
  server:    ['app', 'api', 'db', 'providers', 'shop', 'telemetry'],
  bench:     ['db', 'shop', 'test'],
}

// biome-ignore format: a table
const allowedImporters: Record<string, string[]> = {
  '(react|react-dom|react-router)(/|$)':  ['app', 'server/app.ts', 'server/http/page-route.ts', 'providers/payments', 'bank/card'],
  '#telemetry/':                          ['app/entry.server.tsx', 'app/unavailable.server.ts', 'api', 'db', 'providers', 'server', 'shop'],
  '(pino$|@opentelemetry/)':              ['telemetry'],
  'hono(/|$)':                            ['api', 'server', 'bank'],
  '(@electric-sql|pg(-copy-streams)?$)':  ['db', 'bench'],
  '(@stripe/|stripe$)':                   ['providers/payments', 'bank'],
  'pg-boss$':                             ['db', 'server/jobs.ts'],
  '(better-auth|@firebase)(/|$)':         ['providers/identity'],
  '@zxcvbn-ts/':                          ['providers/identity'],
  'nodemailer(/|$)':                      ['providers/mail'],
  'prom-client$':                         ['providers/metrics'],
  '(@aws-sdk/|sharp$)':                   ['providers/images', 'bench'],
  '@fastify/busboy$':                     ['api'],
  'stdnum$':                             ['shop/charges/vat-number.server.ts'],
  'tar-stream$':                          ['server/backup'],
}

const files = globSync(`{${Object.keys(allowedImports)}}/**/*.{ts,tsx}`).filter(
  (file) => !/\.test\.tsx?$/.test(file),
)
const imports = importsIn(files)

function importsIn(paths: string[]) {
  return paths.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)].map(([, target]) => ({
      file,
      target: target!,
    })),
  )
}

test('the import scan finds imports', () => {
  expect(imports.length).toBeGreaterThan(200)
})

for (const [folder, allowed] of Object.entries(allowedImports)) {
  test(`${folder} imports only ${allowed.join(', ') || 'itself'}`, () => {
    const violations = imports.filter(({ file, target }) => {
      const [, targetFolder = folder] = /^#(\w+)\//.exec(target) ?? []
      const isAllowed = (rule: string) => rule === targetFolder || matchesGlob(target.slice(1), rule)
      return file.startsWith(`${folder}/`) && targetFolder !== folder && !allowed.some(isAllowed)
    })
    expect(violations).toEqual([])
  })
}

for (const [library, folders] of Object.entries(allowedImporters)) {
  test(`only ${folders.join(', ')} imports ${library}`, () => {
    const pattern = new RegExp(`^${library}`)
    const violations = imports.filter(
      ({ file, target }) => pattern.test(target) && !folders.some((folder) => file.startsWith(folder)),
    )
    expect(violations).toEqual([])
  })
}

test('only server/config/config.ts reads process.env', () => {
  const shop = files.filter((file) => !file.startsWith('bench/'))
  const readers = shop.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
  expect(readers).toEqual(['server/config/config.ts'])
})

test('no imports form a circle, also those of types', () => {
  const targets = Map.groupBy(imports, ({ file }) => file)
  const isDone = new Set<string>()
  function findCircle(file: string, path: string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (isDone.has(file)) return undefined
    for (const { target } of targets.get(file) ?? []) {
      const next = target.startsWith('#') ? target.slice(1) : join(dirname(file), target)
      const circle = findCircle(next, [...path, file])
      if (circle) return circle
    }
    isDone.add(file)
    return undefined
  }
  expect(files.map((file) => findCircle(file, [])).filter(Boolean)).toEqual([])
})

/** A package of its own resolves no alias of the shop. */
const bankLists = ['bank/shop.ts', 'bank/card/shop.client.ts']

test('imports across folders use the folder alias, but for what the bank takes of the shop', () => {
  const relative = imports.filter(({ target }) => /^\.\.\/(?!(\.\.\/)?(build|bin)\/)/.test(target))
  expect(new Set(relative.map(({ file }) => file))).toEqual(new Set(bankLists))
})

test('tests of the shop enter the bank where the shop does, and for cardholders and time', () => {
  const doors = ['bank.ts', 'card/card-form.client.tsx', 'disputes.ts', 'pending.ts']
  const all = globSync(`{test,${Object.keys(allowedImports)}}/**/*.{ts,tsx}`)
  const entered = importsIn(all.filter((file) => !file.startsWith('bank/'))).map(({ target }) => target)
  const intoBank = entered.filter((target) => /^#bank\/|^[./]+\/bank\//.test(target))
  expect([...new Set(intoBank)].sort()).toEqual(doors.map((door) => `#bank/${door}`))
})

test('bank/package.json names the packages that the bank imports', () => {
  const { peerDependencies } = JSON.parse(readFileSync('bank/package.json', 'utf8'))
  const packages = imports
    .filter(({ file, target }) => file.startsWith('bank/') && /^(?!node:)[a-z@]/.test(target))
    .map(({ target }) => /^(@[^/]+\/)?[^/]+/.exec(target)![0])
  expect([...new Set(packages)].sort()).toEqual(Object.keys(peerDependencies))
})

const sources = files.filter((file) => !/^bench\//.test(file))

test('no source file except data tables is longer than 300 lines', () => {
  const tables = ['db/schema.ts', 'db/seed/parts.ts', 'db/seed/specifications.ts']
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length
  expect(sources.filter((file) => lines(file) > 300 && !tables.includes(file))).toEqual([])
})

test('no route has a pattern of its own, which can take quadratic time before any limit', () => {
  const patterns = files.filter((file) => /['"`]\/[^'"`\n]*:\w+\{/.test(readFileSync(file, 'utf8')))
  expect(patterns).toEqual([])
})

test('no file uses export *', () => {
  expect(sources.filter((file) => /^export \*/m.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('exported names are unique', () => {
  /** React Router's route exports, calls with a browser and a server function, and the articles. */
  const shared =
    /^(meta|links|loader|clientLoader|shouldRevalidate|HydrateFallback|ErrorBoundary|signIn|signOut|updateProfile|article)$/
  const exported = /^export (?:default )?(?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm
  const places = new Map<string, string[]>()
  for (const file of sources) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(exported)) {
      if (!shared.test(name)) places.set(name, [...(places.get(name) ?? []), file])
    }
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([])
})
