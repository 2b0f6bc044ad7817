import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const { values, positionals }: { values: { 'confirm-address'?: string }; positionals: [string] } =
  readArguments('grant-admin')
const { grantAdmin, readConfig }: typeof app = await import('../../build/server/index.js' as string)

try {
  const [email] = positionals
  console.log(await grantAdmin(readConfig(), { email, confirmAddress: values['confirm-address'] }))
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
