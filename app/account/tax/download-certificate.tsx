import { client } from '#app/client.ts'
import { saveFile } from '#app/ui/behaviour/save-file.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { formatBytes } from '#app/ui/format-bytes.ts'

interface Props {
  /** Whose it is. */
  email: string
  /** The current one if it is absent. */
  _id?: string
  name: string
  size: number
}

export function DownloadCertificate({ email, _id: file, name, size }: Props) {
  const download = () =>
    client.downloadCertificate({ params: { email }, body: { file } }).then(saveFile, showError)
  return (
    <button type="button" className="link text-left wrap-anywhere" onClick={download}>
      {`${name} (${formatBytes(size)})`}
    </button>
  )
}
