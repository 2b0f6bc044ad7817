declare module 's3rver' {
  import type { RequestListener } from 'node:http'
  import type { Readable } from 'node:stream'

  interface S3Object {
    bucket: string
    key: string
    content: Readable
    metadata: object
  }

  export default class S3rver {
    constructor(options: { directory: string; silent: boolean; configureBuckets: { name: string }[] })
    logger: { close(): void }
    store: {
      putObject(object: S3Object): Promise<{ size: number; md5: string }>
      putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
    }
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
