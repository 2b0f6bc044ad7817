import { useState } from 'react'
import { ApiError } from '#app/client.ts'
import { saveFile } from '#app/ui/behaviour/save-file.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { formatBytes } from '#app/ui/format-bytes.ts'
import type { ExportFormat } from '#shop/exports/export.ts'

interface Props {
  download: (format: ExportFormat, options: { onProgress: (bytes: number) => void }) => Promise<File>
  className?: string
  /** Where a phone has room for few words. */
  isShort?: boolean
}

/** Each saves the file once all of it has arrived. */
export function ExportButtons(props: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      <ExportButton format="xlsx" noun="Excel" {...props} />
      <ExportButton format="csv" noun="CSV" {...props} />
    </div>
  )
}

function ExportButton({
  format,
  noun,
  download,
  className = 'btn btn-sm',
  isShort = false,
}: Props & { format: ExportFormat; noun: string }) {
  const [bytes, setBytes] = useState<number | null>(null)
  const busy = bytes !== null

  async function save() {
    if (busy) return
    setBytes(0)
    let received = 0
    try {
      const file = await download(format, {
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
      {busy ? (
        `Exporting…${bytes > 0 ? ` ${formatBytes(bytes)}` : ''}`
      ) : (
        <span>
          <span className={isShort ? 'max-sm:sr-only' : ''}>Export </span>
          {noun}
        </span>
      )}
    </button>
  )
}

const cutMessage = 'The export stopped before it was complete, so nothing was saved. Export again.'
