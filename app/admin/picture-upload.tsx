import { useRef, useState } from 'react'
import { uploadPicture } from '#app/upload.ts'

/** How much of a picture has been sent, from 0 to 1; undefined while none is on its way. */
type Sent = number | undefined

/** The admin's own doing: told in words, but no failure. */
export class UploadStopped extends Error {}

/** Sends a form's picture, and remembers its address, so that the same one is not sent twice when the rest fails. */
export function usePictureUpload() {
  const [sent, setSent] = useState<Sent>()
  const last = useRef<{ file: File; url: string }>(undefined)
  const stopping = useRef<AbortController>(undefined)

  async function upload(file: File): Promise<string> {
    if (last.current?.file === file) return last.current.url
    stopping.current = new AbortController()
    setSent(0)
    try {
      const url = await uploadPicture(file, { onProgress: setSent, signal: stopping.current.signal })
      last.current = { file, url }
      return url
    } finally {
      setSent(undefined)
    }
  }

  function stop() {
    stopping.current?.abort(new UploadStopped('You stopped the upload. Nothing was saved.'))
  }

  /** For a picture that the shop does not know any more. */
  function forget() {
    last.current = undefined
  }

  return { sent, upload, stop, forget }
}

export function UploadProgress({ sent, onStop }: { sent: Sent; onStop: () => void }) {
  return (
    <>
      {/* Read out when it begins and when it ends, and not at every step. */}
      <p role="status" className="sr-only">
        {sent === undefined ? '' : sent < 1 ? 'Sending the picture' : 'The picture has been sent'}
      </p>
      {sent !== undefined && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <progress
            className="progress progress-primary w-auto grow basis-40"
            aria-label="Picture sent"
            value={sent}
          />
          <span className="w-12 text-right text-sm">{`${Math.round(sent * 100)} %`}</span>
          <button type="button" className="btn btn-sm" onClick={onStop}>
            Stop upload
          </button>
        </div>
      )}
    </>
  )
}
