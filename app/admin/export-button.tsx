import { useState } from 'react'
import { ApiError } from '#app/client.ts'
import { saveFile } from '#app/ui/behaviour/save-file.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'

interface Props {
  download: (options: { onProgress: (bytes: number) => void }) => Promise<File>
  className?: string
}

/** Saves the file once all of it has arrived. */
export function ExportButton({ download, className = 'btn btn-sm' }: Props) {
  const [bytes, setBytes] = useState<number | null>(null)
  const busy = bytes !== null

  async function save() {
    if (busy) return
    setBytes(0)
    let received = 0
    try {
      const file = await download({
        onProgress(bytes) {
          received = bytes
          setBytes(bytes)
        },
      })
      saveFile(file)
      showToast(`${file.name} saved`)
    } catch (error) {
      const isCut = error instanceof ApiError && error.status === 0 && received > 0
      showError(isCut ? new Error(cutMessage) : error)
    } finally {
      setBytes(null)
    }
  }

  return (
    <button type="button" className={className} aria-disabled={busy} onClick={save}>
      {busy ? `Exporting…${bytes > 0 ? ` ${formatBytes(bytes)}` : ''}` : 'Export CSV'}
    </button>
  )
}

const cutMessage = 'The export stopped before it was complete, so nothing was saved. Export again.'

function formatBytes(bytes: number) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
