import { useState } from 'react'
import { ApiError } from '#app/client.ts'
import { saveFile } from '#app/ui/behaviour/save-file.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { formatBytes } from '#app/ui/format-bytes.ts'
import type { ExportFormat } from '#shop/exports/export.ts'

interface Props {
  download: (format: ExportFormat, options: { onProgress: (bytes: number) => void }) => Promise<File>
  className?: string
}

/** Each saves the file once all of it has arrived. */
export function ExportButtons({ download, className = 'btn btn-sm' }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      <ExportButton format="xlsx" label="Export Excel" download={download} className={className} />
      <ExportButton format="csv" label="Export CSV" download={download} className={className} />
    </div>
  )
}

function ExportButton({
  format,
  label,
  download,
  className,
}: Props & { format: ExportFormat; label: string }) {
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
      {busy ? `Exporting…${bytes > 0 ? ` ${formatBytes(bytes)}` : ''}` : label}
    </button>
  )
}

const cutMessage = 'The export stopped before it was complete, so nothing was saved. Export again.'
