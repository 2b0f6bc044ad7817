import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { startPostgres } from '#test/postgres.ts'
import { emptyFolder, runShop } from '#test/process.ts'

/** Fills a demo once on each engine, so that every shop of the tests starts from a copy. */
export default async function setup() {
  const DATA_DIR = emptyFolder()
  await fill({ DATA_DIR })
  const postgres = await startPostgres()
  const DATABASE_URL = await postgres.createDatabase('demo')
  await fill({ DATA_DIR, DATABASE_URL, DEMO: 'on' })
  await shrinkPictures(join(DATA_DIR, 'images'))
  Object.assign(process.env, { DEMO_FOLDER: DATA_DIR, DEMO_DATABASE_SERVER: postgres.url })
  return postgres.stop
}

async function fill(settings: Record<string, string>) {
  const shop = await runShop(settings)
  shop.child.kill('SIGINT')
  if ((await shop.ended) !== 0) throw new Error(shop.printed())
}

/** Where no picture is looked at closely, a tenth of its width does: the shops and the browsers have a hundredth of the work. */
async function shrinkPictures(folder: string) {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    await writeFile(
      file,
      await sharp(await readFile(file))
        .resize({ width: 160 })
        .webp()
        .toBuffer(),
    )
  }
}
