import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '#test/postgres.ts'
import { emptyFolder, runShop } from '#test/process.ts'
import { shrinkImages } from '#test/shrink-images.ts'

/** Seeds one demo shop per database engine; each test shop starts from a copy. The journeys need the embedded one alone. */
export default async function setup() {
  const DATA_DIR = emptyFolder()
  await seed({ DATA_DIR })
  const postgres = process.env.ONLY_JOURNEYS ? null : await seedOnPostgres(DATA_DIR)
  await shrinkImages(join(DATA_DIR, 'images'))
  process.env.DEMO_FOLDER = DATA_DIR
  return postgres?.stop
}

async function seedOnPostgres(DATA_DIR: string) {
  const postgres = await startPostgres()
  const DATABASE_URL = await postgres.createDatabase('demo')
  await seed({ DATA_DIR, DATABASE_URL, DEMO: 'on' })
  await ageImages(DATABASE_URL)
  process.env.DEMO_DATABASE_SERVER = postgres.url
  return postgres
}

async function seed(settings: Record<string, string>) {
  const shop = await runShop(settings)
  shop.child.kill('SIGINT')
  // A busy machine may not stop it in time: it exits with 1 then.
  await shop.exited
  if (!shop.output().includes('is running at')) throw new Error(shop.output())
}

/** The job that makes all sizes of the last day's images would take each shop five seconds of CPU time. */
async function ageImages(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`update pictures set created_at = now() - interval '2 days'`)
  await client.end()
}
