import { useRef, useState } from 'react'
import { sendPicture } from '#app/upload.ts'

/** From 0 to 1; undefined while nothing is uploaded. */
type Progress = number | undefined

/** Cancelled by the user: shown in the form, without an error toast. */
export class UploadCancelled extends Error {}

/** Remembers the URL, so that a retry of the form does not upload the same file again. */
export function usePictureUpload() {
  const [progress, setProgress] = useState<Progress>()
  const lastUpload = useRef<{ file: File; url: string }>(undefined)
  const abortController = useRef<AbortController>(undefined)

  async function upload(file: File): Promise<string> {
    if (lastUpload.current?.file === file) return lastUpload.current.url
    abortController.current = new AbortController()
    setProgress(0)
    try {
      const url = await sendPicture(file, {
        onProgress: setProgress,
        signal: abortController.current.signal,
      })
      lastUpload.current = { file, url }
      return url
    } finally {
      setProgress(undefined)
    }
  }

  function stop() {
    abortController.current?.abort(new UploadCancelled('Upload stopped. Nothing was saved.'))
  }

  function clear() {
    lastUpload.current = undefined
  }

  return { progress, upload, stop, clear }
}

export function UploadProgress({ progress, onStop }: { progress: Progress; onStop: () => void }) {
  return (
    <>
      {/* Announced at the start and at the end only. */}
      <p role="status" className="sr-only">
        {progress === undefined ? '' : progress < 1 ? 'Uploading the photo' : 'Photo uploaded'}
      </p>
      {progress !== undefined && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <progress
            className="progress progress-primary w-auto grow basis-40"
            aria-label="Upload progress"
            value={progress}
          />
          <span className="w-12 text-right text-sm">{`${Math.round(progress * 100)} %`}</span>
          <button type="button" className="btn btn-sm" onClick={onStop}>
            Stop upload
          </button>
        </div>
      )}
    </>
  )
}
