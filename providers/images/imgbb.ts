import { z } from 'zod'
import { ShopError } from '#shop/errors.ts'
import type { Images } from '#shop/ports.ts'
import { readStackTrace } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'
import { formats, inPictureQueue, normalise } from './encode.ts'

export interface Imgbb {
  key: string
  /** imgbb’s upload URL, or that of a compatible host. */
  uploadUrl: string
  /** The only origin from which pages show its pictures. */
  imageOrigin: string
}

const responseSchema = z.object({ success: z.literal(true), data: z.object({ url: z.url() }) })

/** For imgbb’s API (api.imgbb.com). Re-encodes to one JPEG, since a host may keep the upload as it is. */
export function imgbbImages({ key, uploadUrl, imageOrigin }: Imgbb, timeoutMs = 20_000): Images {
  const endpoint = new URL(uploadUrl)
  endpoint.searchParams.set('key', key)

  return {
    async store(picture, { photoSide } = {}) {
      const bytes = await inPictureQueue(photoSide ? 'photos' : 'uploads', async () =>
        normalise(await picture.bytes(), formats.jpg.encode, photoSide),
      )
      const body = new FormData()
      body.set('image', new Blob([new Uint8Array(bytes)], { type: formats.jpg.type }), 'picture.jpg')
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const response = await fetch(endpoint, { method: 'POST', body, signal, redirect: 'error' })
        const text = await response.text()
        if (!response.ok) throw new Error(`The image host returned ${response.status}: ${text.slice(0, 300)}`)
        return checkOrigin(responseSchema.parse(JSON.parse(text)).data.url)
      } catch (error) {
        // The URL contains the key.
        log.error({ reason: readStackTrace(error as Error).replaceAll(key, '…') }, 'image host failed')
        throw new ShopError('unavailable', 'The image host can’t store the photo right now. Try again later.')
      }
    },

    async prepareVariants() {},
    async prepareAllVariants() {},

    async readJpeg(url) {
      if (!URL.canParse(url) || new URL(url).origin !== imageOrigin) return null
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
      if (!response.ok) throw new Error(`The image host returned ${response.status} for a picture.`)
      const bytes = await response.bytes()
      return inPictureQueue('variants', () => normalise(bytes, formats.jpg.encode, 640))
    },

    /** The API has no delete. */
    async deleteUnused() {},
  }

  function checkOrigin(url: string) {
    const { origin } = new URL(url)
    if (origin === imageOrigin) return url
    throw new Error(
      `The image host serves images from ${origin}, not ${imageOrigin}. Set IMGBB_IMAGE_URL=${origin}.`,
    )
  }
}
