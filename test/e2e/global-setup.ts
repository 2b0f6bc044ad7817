import { emptyFolder, runShop } from '#test/process.ts'

/** Starts the demo once, so that every shop of the tests starts from a copy of what that made. */
export default async function setup() {
  const folder = emptyFolder()
  const shop = await runShop({ DATA_DIR: folder })
  shop.child.kill('SIGINT')
  if ((await shop.ended) !== 0) throw new Error(shop.printed())
  process.env.DEMO_FOLDER = folder
}
