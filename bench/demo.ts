import { join } from 'node:path'
import { emptyFolder, runShop } from '#test/process.ts'
import { shrinkImages } from '#test/shrink-images.ts'

/** Without this, making all sizes of the demo's images would occupy a processor for the second and third minute. */
export async function runDemo(env: Record<string, string> = {}) {
  const DATA_DIR = emptyFolder()
  const shop = await runShop({ DATA_DIR, ...env }, [])
  await shrinkImages(join(DATA_DIR, 'images'))
  return shop
}
