declare module 's3rver' {
  import type { RequestListener } from 'node:http'

  /** A server that speaks S3, with its buckets in a folder. */
  export default class S3rver {
    constructor(options: { directory: string; silent: boolean; configureBuckets: { name: string }[] })
    logger: { close(): void }
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
