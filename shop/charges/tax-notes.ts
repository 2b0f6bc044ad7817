import { formatDay } from '#shop/dates.ts'
import type { BuyerTax } from './charges.ts'
import type { CustomerTaxStatus, ShownExemption, ShownProof } from './tax-status.ts'

/**
 * Why tax is charged although the buyer has entered something against it, where that would matter. `taxFor` is the tax of the order for
 * a buyer.
 */
export function explainTax(
  { vatId, exemption }: Pick<CustomerTaxStatus, 'vatId' | 'exemption'>,
  { buyer, day, taxFor }: { buyer: BuyerTax; day: string; taxFor: (buyer: BuyerTax) => number },
): string[] {
  const now = taxFor(buyer)
  const notes: string[] = []
  if (vatId && vatId.state !== 'checked' && taxFor({ ...buyer, vatCountry: vatId.country }) < now)
    notes.push(`Your VAT ID ${explainState(vatId)}, so tax is charged.`)
  if (exemption && exemption.state !== 'checked') {
    const { country, region } = exemption
    const exempt = { ...buyer, exemption: { country, region: region ?? undefined, until: day } }
    if (taxFor(exempt) < now) notes.push(explainExemption(exemption))
  }
  return notes
}

function explainExemption(exemption: Pick<ShownExemption, 'state' | 'until'>) {
  return exemption.state === 'expired'
    ? `Your exemption expired on ${formatDay(exemption.until)}, so tax is charged.`
    : `Your exemption certificate ${explainState(exemption)}, so tax is charged.`
}

function explainState({ state }: Pick<ShownProof, 'state'>) {
  return state === 'declined' ? 'was declined' : 'isn’t checked yet'
}
