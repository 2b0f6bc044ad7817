import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { ShopError, traceOf } from '#shop/errors.ts'
import type { FileStore } from './file-store.ts'
import { cacheControlForever } from './image-url.ts'

export interface Bucket {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Where the service is, unless it is AWS. */
  endpoint?: string
}

/** Everything of ours is below this name: a bucket may have other things in it. */
const below = 'images/'

/**
 * Files in a bucket of S3, or of any service that speaks like it; it need not be public. `patience` is how long to wait
 * for it each of two times, in milliseconds. Throws 'unavailable' where it fails or does not answer.
 */
export function bucketOf(
  { bucket: Bucket, endpoint, region, ...credentials }: Bucket,
  patience = 10_000,
): FileStore {
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    // Services other than AWS know no more.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: patience,
      requestTimeout: patience,
      throwOnRequestTimeout: true,
      // For an answer that stops halfway.
      socketTimeout: patience,
    },
  })
  const called = (name: string) => ({ Bucket, Key: below + name })

  return {
    async read(name) {
      const found = await client.send(new GetObjectCommand(called(name))).catch(nullIfMissing)
      if (!found) return null
      // Or its connection is kept open for whoever would read it.
      if (!found.ETag) (found.Body as Readable).destroy()
      return genuine(found).Body!.transformToByteArray().catch(away)
    },

    async write(name, { bytes, type }) {
      const kept = { Body: bytes, ContentType: type, CacheControl: cacheControlForever }
      genuine(await client.send(new PutObjectCommand({ ...called(name), ...kept })).catch(away))
    },

    async list() {
      const names = []
      try {
        const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: below })
        for await (const { Contents = [], IsTruncated } of pages) {
          if (IsTruncated === undefined) throw notOfS3('no list')
          names.push(...Contents.map(({ Key }) => Key!.slice(below.length)))
        }
      } catch (error) {
        away(error as Error)
      }
      return names
    },

    async written(name) {
      const found = await client.send(new HeadObjectCommand(called(name))).catch(nullIfMissing)
      return found?.LastModified ?? null
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand(called(name))).catch(away)
    },
  }
}

function genuine<T extends { ETag?: string | undefined }>(answer: T): T {
  return answer.ETag ? answer : away(notOfS3('no ETag'))
}

/** Whatever stands between us and the bucket may answer 200 with a page of its own. */
function notOfS3(what: string) {
  return new Error(`The answer is not one of S3: it has ${what}.`)
}

function nullIfMissing(error: Error) {
  if (error instanceof NoSuchKey || error instanceof NotFound) return null
  return away(error)
}

function away(error: Error): never {
  console.error('The bucket of pictures:', traceOf(error))
  throw new ShopError('unavailable', 'The pictures cannot be reached. Please try again in a moment.', {
    retryAfter: 5,
  })
}
