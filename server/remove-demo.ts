import type * as app from './app.ts'

const { readConfig, removeDemo }: typeof app = await import('../build/server/index.js' as string)

try {
  const { counts, removed } = await removeDemo(readConfig(), process.argv.includes('--confirm'))
  for (const [table, rows] of counts) console.log(`${String(rows).padStart(8)}  ${table}`)
  console.log(
    removed
      ? 'Deleted. The next start creates a new secret, so nobody stays signed in.'
      : 'These rows would be deleted: every account, order, payment, message and review, and the demo’s parts. To delete them: npm run remove-demo -- --confirm',
  )
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
