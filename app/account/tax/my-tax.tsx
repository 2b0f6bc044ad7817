import { useRef, useState } from 'react'
import { client } from '#app/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import type { MyTaxStatus, ProofKind } from '#shop/charges/tax-status.ts'
import { CertificateFile } from './certificate-file.tsx'
import { ExemptionDialog, VatIdDialog } from './tax-dialogs.tsx'
import { proofNames, TaxProof } from './tax-proof.tsx'
import { checkTaxAccount } from './use-tax-form.ts'

interface Props {
  /** Whose status it is. */
  email: string
  status: MyTaxStatus
}

const kinds: ProofKind[] = ['vatId', 'exemption']

/** Nothing while the shop charges no tax. */
export function MyTax({ email, status }: Props) {
  const [edited, setEdited] = useState<ProofKind>()
  const section = useRef<HTMLElement>(null)
  if (!status.isTaxed) return null

  function close() {
    setEdited(undefined)
    // The button that opened the dialog may be gone.
    if (document.activeElement === document.body) section.current?.focus()
  }

  const missing = kinds.filter((kind) => status[kind] === null)
  const dialog = { email, status, onClose: close }
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="tax" className="outline-none">
      <h2 id="tax">Tax</h2>
      <p className="mt-1 mb-5 text-base-content/75">
        If you buy for a business, enter your VAT ID or your exemption certificate. It counts for orders that
        you place once it’s checked.
      </p>
      <ul className="grid gap-4 empty:hidden sm:grid-cols-2 xl:grid-cols-3">
        {kinds
          .filter((kind) => status[kind] !== null)
          .map((kind) => (
            <NamedRow key={kind} name={proofNames[kind]}>
              <Card kind={kind} email={email} status={status} onEdit={() => setEdited(kind)} />
            </NamedRow>
          ))}
      </ul>
      <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
        {missing.map((kind) => (
          <button key={kind} type="button" className="btn btn-outline btn-sm" onClick={() => setEdited(kind)}>
            {kind === 'vatId' ? 'Add VAT ID' : 'Add exemption certificate'}
          </button>
        ))}
      </div>
      {edited === 'vatId' && <VatIdDialog {...dialog} />}
      {edited === 'exemption' && <ExemptionDialog {...dialog} />}
    </section>
  )
}

function Card({ kind, email, status, onEdit }: Props & { kind: ProofKind; onEdit: () => void }) {
  const { busy, run } = useAction()
  const { digest } = status
  const proof = status[kind]!
  const name = kind === 'vatId' ? 'VAT ID' : 'certificate'
  return (
    <li tabIndex={-1} className="flex flex-col rounded-box border border-base-300 p-4 outline-offset-2">
      <div className="mb-4">
        <h3 className="font-semibold">{proofNames[kind]}</h3>
        <TaxProof proof={proof} />
        {kind === 'exemption' && <CertificateFile email={email} status={status} />}
      </div>
      <div className="mt-auto flex flex-wrap gap-2">
        <ArmedButton className="btn btn-sm" late={false} onClick={onEdit}>
          Edit
        </ArmedButton>
        <ConfirmButton
          label="Remove"
          busy={busy}
          question={`Remove the ${name} ${proof.number}?`}
          details={<p className="mt-2">Orders that you’ve placed stay as they are.</p>}
          action={`Remove ${name}`}
          dismiss={`Keep ${name}`}
          onConfirm={() =>
            run(`${proofNames[kind]} removed`, async () => {
              checkTaxAccount(email)
              await client.updateTaxStatus({ params: { email }, body: { digest, [kind]: null } })
            })
          }
        />
      </div>
    </li>
  )
}
