import { join } from 'node:path'
import { emptyFolder, runShop } from '#test/process.ts'
import { shrinkImages } from '#test/shrink-images.ts'

/** Without this, making all sizes of the demo's images would occupy a processor for the second and third minute. */
export async function runDemo(env: Record<string, string> = {}, folder = '.') {
  const DATA_DIR = emptyFolder()
  const node = folder === '.' ? process.execPath : join(folder, 'node_modules/.bin/node')
  const shop = await runShop({ DATA_DIR, ...env }, [], folder, node)
  await shrinkImages(join(DATA_DIR, 'images'))
  return shop
}
