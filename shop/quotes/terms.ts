import type { PriceBreak } from '#shop/parts/quantity.ts'

/** What an admin has agreed with the customer about a part. */
export interface QuoteTerms {
  unitPrice: number
  belowMinimum: boolean
}

interface Sold {
  perUnitPrice: number
  priceBreaks: PriceBreak[]
  minQuantity: number
  multiple: number
}

/** The part as it is sold by a quote. */
export function withTerms<Part extends Sold>(part: Part, { unitPrice, belowMinimum }: QuoteTerms): Part {
  return {
    ...part,
    perUnitPrice: unitPrice,
    priceBreaks: [],
    ...(belowMinimum && { minQuantity: 1, multiple: 1 }),
  }
}
