import { type ChangeEvent, useId, useRef } from 'react'
import { readBase64 } from '#app/browser/read-base64.ts'
import { client } from '#app/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import {
  certificateSizeMessage,
  certificateTypeMessage,
  certificateTypes,
} from '#shop/charges/certificate.ts'
import type { MyTaxStatus } from '#shop/charges/tax-status.ts'
import { DownloadCertificate } from './download-certificate.tsx'
import { checkTaxAccount } from './use-tax-form.ts'

const ends = Object.values(certificateTypes).flat()
const maxBytes = 10 * 1024 * 1024

/** The certificate itself, which can be replaced until it is confirmed. */
export function CertificateFile({ email, status }: { email: string; status: MyTaxStatus }) {
  const { busy, run } = useAction()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { file, state } = status.exemption!
  const isFinal = file !== null && state === 'checked'

  async function choose({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [chosen] = currentTarget.files ?? []
    if (!chosen) return
    await run('File added', async () => {
      checkTaxAccount(email)
      if (!ends.some((end) => chosen.name.toLowerCase().endsWith(`.${end}`)))
        throw new Error(certificateTypeMessage)
      if (chosen.size > maxBytes) throw new Error(certificateSizeMessage)
      const body = { digest: status.digest, name: chosen.name, data: await readBase64(chosen) }
      await client.addCertificate({ body })
    })
    // The same file can be chosen again.
    if (input.current) input.current.value = ''
  }

  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      {file ? (
        <DownloadCertificate email={email} {...file} />
      ) : (
        <p className="text-sm text-base-content/75">Add the certificate as a PDF, JPEG or PNG file.</p>
      )}
      {!isFinal && (
        <label htmlFor={id} className="btn relative btn-sm focus-within:outline-2">
          {busy ? 'Adding file…' : file ? 'Replace file' : 'Add file'}
          <input
            ref={input}
            id={id}
            type="file"
            accept={ends.map((end) => `.${end}`).join(',')}
            disabled={busy}
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={choose}
          />
        </label>
      )}
    </div>
  )
}
