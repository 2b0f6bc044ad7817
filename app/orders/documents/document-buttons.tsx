import { type ReactNode, useState } from 'react'
import { saveFile } from '#app/ui/behaviour/save-file.ts'
import { showError } from '#app/ui/behaviour/toast.ts'

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
