import { parseArgs } from 'node:util'
import type * as app from './app.ts'

const { grantAdmin, readConfig }: typeof app = await import('../build/server/index.js' as string)

try {
  const { values, positionals } = parseArgs({
    options: { 'confirm-address': { type: 'string' } },
    allowPositionals: true,
  })
  const [email] = positionals
  if (!email)
    throw new Error(
      'Usage: npm run grant-admin -- someone@example.com [--confirm-address someone@example.com]',
    )
  console.log(await grantAdmin(readConfig(), { email, confirmAddress: values['confirm-address'] }))
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
