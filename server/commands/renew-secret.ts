import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const { confirm }: { confirm?: boolean } = readArguments('renew-secret').values
const { readConfig, renewSecret }: typeof app = await import('../../build/server/index.js' as string)

try {
  if (!confirm)
    throw new Error(
      'This replaces the shop’s secret, and everybody has to sign in again. To replace it, run: npm run renew-secret -- --confirm',
    )
  await renewSecret(readConfig())
  console.log(
    'The shop has a new secret in DATA_DIR, and everybody has to sign in again. Copy the file to the other machines of the shop, if there are any.',
  )
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
