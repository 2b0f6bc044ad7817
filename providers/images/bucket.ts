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
import { ShopError } from '#shop/errors.ts'
import { log } from '#telemetry/log.ts'
import type { FileStore } from './file-store.ts'
import { cacheControlForever } from './image-url.ts'

export interface BucketSettings {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  endpoint?: string
}

/** The bucket may hold other objects. */
const prefix = 'images/'

/** Works with private buckets of S3-compatible services. Throws 'unavailable' after two tries of `timeoutMs` each. */
export function bucketStore(
  { bucket: Bucket, endpoint, region, ...credentials }: BucketSettings,
  timeoutMs = 10_000,
): FileStore {
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    // Other services do not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      // For responses that stall.
      socketTimeout: timeoutMs,
    },
  })
  const objectKey = (name: string) => ({ Bucket, Key: prefix + name })

  return {
    async read(name) {
      const object = await client.send(new GetObjectCommand(objectKey(name))).catch(nullIfMissing)
      if (!object) return null
      // An unread body would keep its connection open.
      if (!object.ETag) (object.Body as Readable).destroy()
      return checkResponse(object).Body!.transformToByteArray().catch(fail)
    },

    async write(name, { bytes, type }) {
      const content = { Body: bytes, ContentType: type, CacheControl: cacheControlForever }
      checkResponse(await client.send(new PutObjectCommand({ ...objectKey(name), ...content })).catch(fail))
    },

    async list() {
      const names = []
      try {
        const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })
        for await (const { Contents = [], IsTruncated } of pages) {
          if (IsTruncated === undefined) throw notS3Error('no list')
          names.push(...Contents.map(({ Key }) => Key!.slice(prefix.length)))
        }
      } catch (error) {
        fail(error as Error)
      }
      return names
    },

    async modifiedAt(name) {
      const object = await client.send(new HeadObjectCommand(objectKey(name))).catch(nullIfMissing)
      return object?.LastModified ?? null
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand(objectKey(name))).catch(fail)
    },

    hasRoom: async () => true,
  }
}

function checkResponse<T extends { ETag?: string | undefined }>(response: T): T {
  return response.ETag ? response : fail(notS3Error('no ETag'))
}

/** A proxy may answer 200 with a page of its own. */
function notS3Error(what: string) {
  return new Error(`The response is not from S3: it has ${what}.`)
}

function nullIfMissing(error: Error) {
  if (error instanceof NoSuchKey || error instanceof NotFound) return null
  return fail(error)
}

function fail(error: Error): never {
  log.error({ err: error }, 'image bucket failed')
  throw new ShopError('unavailable', 'We can’t load or save photos right now. Try again in a moment.', {
    retryAfter: 5,
  })
}
