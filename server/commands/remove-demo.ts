import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const { confirm = false }: { confirm?: boolean } = readArguments('remove-demo').values
const { readConfig, removeDemo }: typeof app = await import('../../build/server/index.js' as string)

try {
  const { counts, removed } = await removeDemo(readConfig(), confirm)
  for (const [table, rows] of counts) console.log(`${String(rows).padStart(8)}  ${table}`)
  console.log(
    removed
      ? 'Demo data deleted. The next start creates a new secret and signs everybody out.'
      : 'This would delete every account, order, payment, message and review, and the demo’s parts. To delete them, run: npm run remove-demo -- --confirm',
  )
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
