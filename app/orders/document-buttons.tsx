import { type ReactNode, useState } from 'react'
import { showError } from '#app/ui/toast.ts'

interface Props {
  download: () => Promise<File>
  /** More links. */
  children: ReactNode
}

export function DocumentButtons({ download, children }: Props) {
  const [busy, setBusy] = useState(false)

  async function save() {
    if (busy) return
    setBusy(true)
    try {
      saveFile(await download())
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="mt-8 flex flex-wrap gap-3 print:hidden">
      <button type="button" className="btn btn-primary" onClick={() => print()}>
        Print
      </button>
      <button type="button" className="btn" aria-disabled={busy} onClick={save}>
        {busy ? 'Preparing PDF…' : 'Download PDF'}
      </button>
      {children}
    </div>
  )
}

function saveFile(file: File) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
