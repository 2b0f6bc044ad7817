import type * as app from './app.ts'

const { grantAdmin, readConfig }: typeof app = await import('../build/server/index.js' as string)

const email = process.argv[2]
try {
  if (!email) throw new Error('Usage: npm run grant-admin -- someone@example.com')
  await grantAdmin(readConfig(), email)
  console.log(`${email} is an admin now.`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
