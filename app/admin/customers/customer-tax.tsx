import { Link } from 'react-router'
import { DownloadCertificate } from '#app/account/tax/download-certificate.tsx'
import { proofNames, TaxProof } from '#app/account/tax/tax-proof.tsx'
import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { type CheckedProof, declineForm, type ProofKind } from '#shop/charges/tax-status.ts'
import type { Customer } from '#shop/customers/customer.ts'

/** Nothing while the shop charges no tax. */
export function CustomerTax({ customer }: { customer: Customer }) {
  const { isTaxed, vatId, exemption } = customer.taxStatus
  if (!isTaxed) return null
  const entered = [
    ['vatId', vatId],
    ['exemption', exemption],
  ] as const
  return (
    <section aria-labelledby="tax">
      <h2 id="tax" className="text-base">
        Tax
      </h2>
      {!vatId && !exemption && (
        <p className="mt-2 text-sm text-base-content/75">No VAT ID or exemption certificate.</p>
      )}
      <ul className="mt-2 divide-y divide-base-300 border-t border-base-300 text-sm empty:hidden">
        {entered.map(
          ([kind, proof]) =>
            proof && (
              <NamedRow key={kind} name={proofNames[kind]}>
                <Entered kind={kind} proof={proof} customer={customer} />
              </NamedRow>
            ),
        )}
      </ul>
    </section>
  )
}

interface Props {
  kind: ProofKind
  proof: CheckedProof
  customer: Customer
}

function Entered({ kind, proof, customer: { _id, email, taxStatus } }: Props) {
  const { busy, run } = useAction()
  const { state, number, decidedBy, consultation, registeredName } = proof
  const name = kind === 'vatId' ? 'VAT ID' : 'certificate'
  const decision = { proof: kind, digest: taxStatus.digest }
  const params = { id: _id }
  return (
    <li tabIndex={-1} className="py-3 outline-offset-2">
      <h3 className="font-medium">{proofNames[kind]}</h3>
      <TaxProof proof={proof} by={decidedBy} />
      {registeredName && <p className="wrap-anywhere">{`Registered to ${registeredName}`}</p>}
      {kind === 'vatId' && taxStatus.declinedFor && (
        <p className="font-medium">
          <Link to={`/dashboard/customers/${taxStatus.declinedFor}`} className="link">
            Declined for another customer
          </Link>
        </p>
      )}
      {consultation && <p className="wrap-anywhere">{`Consultation number ${consultation}`}</p>}
      {kind === 'exemption' && <Files email={email} taxStatus={taxStatus} />}
      {state !== 'expired' && (
        <div className="mt-2 flex flex-wrap gap-2">
          {state !== 'checked' && (
            <ConfirmButton
              label="Confirm"
              busy={busy}
              question={`Confirm the ${name} ${number}?`}
              details={<p className="mt-2">It counts for orders from now on. We’ll email the customer.</p>}
              action={`Confirm ${name}`}
              actionClassName="btn btn-primary"
              onConfirm={() =>
                run(`${proofNames[kind]} confirmed`, () =>
                  adminClient.decideTaxStatus({ params, body: { ...decision, decision: 'confirm' } }),
                )
              }
            />
          )}
          {state !== 'declined' && (
            <DialogForm
              button={{ label: 'Decline', className: 'btn btn-sm' }}
              title={`Decline the ${name} ${number}`}
              schema={declineForm}
              initial={{ reason: '' }}
              fields={[{ name: 'reason', label: 'Reason', rows: 3, hint: 'We’ll email it to the customer.' }]}
              action={`Decline ${name}`}
              send={async ({ body }) => {
                await adminClient.decideTaxStatus({
                  params,
                  body: { ...decision, decision: 'decline', ...body },
                })
                return `${proofNames[kind]} declined`
              }}
            />
          )}
        </div>
      )}
    </li>
  )
}

/** Of the certificate, and of those that were confirmed before. */
function Files({ email, taxStatus: { files } }: Pick<Customer, 'email' | 'taxStatus'>) {
  if (files.length === 0) return <p className="text-base-content/75">No file</p>
  return (
    <ul aria-label="Files">
      {files.map(({ createdAt, ...file }) => (
        <li key={file._id}>
          <DownloadCertificate email={email} {...file} />
          <p className="text-base-content/75">
            {'Added '}
            <DateTime at={createdAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}
