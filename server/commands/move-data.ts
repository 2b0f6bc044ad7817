import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const { to }: { to: string } = readArguments('move-data').values
const { moveData, readConfig }: typeof app = await import('../../build/server/index.js' as string)

process.umask(0o077)

try {
  let last = ''
  const { tables } = await moveData(readConfig(), to, (step = last) => {
    if (step !== last) console.log(step)
    last = step
  })
  console.log('\nEqual in both databases:\n      rows  checksum                  table')
  for (const { name, rows, checksum } of tables)
    console.log(`${rows.toLocaleString('en').padStart(10)}  ${checksum}  ${name}`)
  const { host, pathname } = new URL(to)
  console.log(
    `\nMoved to ${host}${pathname}. Start the shop with DATABASE_URL set to it, and with the same DATA_DIR, which has the secret. The old database stays in DATA_DIR.`,
  )
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
