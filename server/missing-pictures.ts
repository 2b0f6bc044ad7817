import type { Database } from '#db/schema.ts'
import type { StoredImages } from '#providers/images/stored.ts'
import { usedPictures } from '#shop/pictures/pictures.server.ts'
import { log } from '#telemetry/log.ts'

/** A database that was restored without its pictures has to be noticed. Costs one query and one list of files. */
export async function warnAboutMissingPictures(db: Database, images: Pick<StoredImages, 'countMissing'>) {
  try {
    const used = await usedPictures(db)
    const missing = await images.countMissing(used)
    if (missing > 0)
      log.warn(
        `${missing} of ${used.size} pictures are missing. Copy the shop’s pictures to DATA_DIR/images or S3_BUCKET, or restore a backup of npm run backup.`,
      )
  } catch (error) {
    log.error({ err: error }, 'could not look for missing pictures')
  }
}
