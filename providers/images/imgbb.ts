import { z } from 'zod'
import { ShopError, traceOf } from '#shop/errors.ts'
import type { Images } from '#shop/ports.ts'
import { formats, inPictureQueue, normalise } from './encode.ts'

export interface Imgbb {
  key: string
  /** Where a picture is sent: imgbb's own address, or that of a host that answers as it does. */
  uploadUrl: string
}

const answered = z.object({ success: z.literal(true), data: z.object({ url: z.url() }) })

/**
 * Pictures at an image host with the upload call of imgbb (api.imgbb.com), which serves them: one JPEG each, written anew
 * here, for a host may keep what came in as it was. `patience` is how long to wait for it, in milliseconds.
 */
export function imgbbImages({ key, uploadUrl }: Imgbb, patience = 20_000): Images {
  const address = new URL(uploadUrl)
  address.searchParams.set('key', key)

  return {
    async store(picture) {
      const bytes = await inPictureQueue(async () => normalise(await picture.bytes(), formats.jpg.encode))
      const body = new FormData()
      body.set('image', new Blob([new Uint8Array(bytes)], { type: formats.jpg.type }), 'picture.jpg')
      try {
        const signal = AbortSignal.timeout(patience)
        const response = await fetch(address, { method: 'POST', body, signal, redirect: 'error' })
        const text = await response.text()
        if (!response.ok) throw new Error(`It answered ${response.status}: ${text.slice(0, 300)}`)
        return shown(answered.parse(JSON.parse(text)).data.url)
      } catch (error) {
        // Its address has the key in it and is never part of a message.
        console.error('The image host:', traceOf(error as Error).replaceAll(key, '…'))
        throw new ShopError(
          'unavailable',
          'The image host does not take the picture now. Please try again later.',
        )
      }
    },

    /** It has but the one. */
    async prepareVariants() {},

    /** Its API deletes nothing: a picture goes by a page of its own that only its owner sees. */
    async deleteUnused() {},
  }

  /** A page that came by https shows no picture that does not. */
  function shown(url: string) {
    if (new URL(url).protocol === address.protocol) return url
    throw new Error(`It answered an address that is not ${address.protocol} like its own.`)
  }
}
