import { DateTime } from '#app/ui/date.tsx'
import { findRegions } from '#shop/addresses/countries.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import type { ProofKind, ShownExemption, ShownProof } from '#shop/charges/tax-status.ts'
import { formatDay } from '#shop/dates.ts'

export const proofNames: Record<ProofKind, string> = {
  vatId: 'VAT ID',
  exemption: 'Exemption certificate',
}

interface Props {
  proof: ShownProof & Partial<ShownExemption>
  /** For admins: who checked or declined it. */
  by?: string | null
}

/** What was entered, and what came of it. */
export function TaxProof({ proof, by }: Props) {
  const { country, number, region, until } = proof
  const named = findRegions(country)?.regions.find(({ code }) => code === region)?.name
  return (
    <>
      <p className="wrap-anywhere">{number}</p>
      <p>{[named ?? region, nameCountry(country)].filter(Boolean).join(', ')}</p>
      {until && proof.state !== 'expired' && <p>{`Valid until ${formatDay(until)}`}</p>}
      <p className="wrap-anywhere text-base-content/75">
        <ProofState proof={proof} by={by} />
      </p>
    </>
  )
}

function ProofState({ proof: { state, decidedAt, reason, until }, by }: Props) {
  const byWhom = by ? ` by ${by}` : ''
  if (state === 'unchecked') return 'Not checked yet'
  if (state === 'expired') return <Bad>{`Expired on ${formatDay(until!)}`}</Bad>
  if (state === 'declined')
    return (
      <>
        <Bad>{`Declined${byWhom}:`}</Bad>
        {` ${reason}`}
      </>
    )
  return (
    <>
      {'Checked on '}
      <DateTime at={decidedAt!} />
      {byWhom}
    </>
  )
}

function Bad({ children }: { children: string }) {
  return <span className="font-medium text-base-content">{children}</span>
}
