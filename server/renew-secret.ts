import type * as app from './app.ts'

const { readConfig, renewSecret }: typeof app = await import('../build/server/index.js' as string)

try {
  if (!process.argv.includes('--confirm'))
    throw new Error(
      'This deletes the shop’s secret. The next start creates another one, and everybody has to sign in again. To delete it, run: npm run renew-secret -- --confirm',
    )
  await renewSecret(readConfig())
  console.log('Secret deleted. The next start creates a new one, and everybody has to sign in again.')
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
