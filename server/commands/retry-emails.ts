import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
readArguments('retry-emails')
const { readConfig, retryEmails }: typeof app = await import('../../build/server/index.js' as string)

try {
  const count = await retryEmails(readConfig())
  console.log(count === 0 ? 'No email was given up.' : `Emails that the shop will send again: ${count}`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
