import type { DeliveryAndTax, TaxRate, Zone } from '#shop/charges/rates.ts'

export interface ChargesExample {
  label: string
  /** Of the shop that it assumes. */
  country: string
  value: DeliveryAndTax
}

/** Their rates are valid from the first day of the year. */
export function chargesExamples(year: string): ChargesExample[] {
  const rate = (country: string, percent: number, more: Partial<TaxRate>): TaxRate => ({
    name: 'Example VAT',
    country,
    regions: [],
    class: 'standard',
    millionths: percent * 10_000,
    from: `${year}-01-01`,
    until: null,
    onDelivery: true,
    reverseCharge: false,
    ...more,
  })
  const both = (country: string, standard: number, reduced: number, reverseCharge: boolean) => [
    rate(country, standard, { reverseCharge }),
    rate(country, reduced, { reverseCharge, class: 'reduced' }),
  ]
  const salesTax = 'Example sales tax'
  return [
    {
      label: 'US seller',
      country: 'US',
      value: {
        zones: [
          zone('Example United States', ['US'], byWeight(800, 1_850, 4_500), 100_000),
          zone('Example Canada', ['CA'], { by: 'order', cents: 3_500 }, 100_000),
        ],
        tax: {
          mode: 'exclusive',
          rates: [
            rate('US', 8.125, { name: salesTax, regions: ['CA'], onDelivery: false }),
            rate('US', 6.5, { name: salesTax, regions: ['WA'] }),
          ],
        },
        note: '',
        collection: null,
      },
    },
    {
      label: 'EU seller',
      country: 'DE',
      value: {
        zones: [
          zone('Example Germany', ['DE'], { by: 'order', cents: 690 }, 25_000),
          zone('Example neighbours', ['AT', 'NL'], byWeight(1_290, 2_490, 5_900), 100_000),
        ],
        tax: {
          mode: 'inclusive',
          rates: [...both('DE', 19, 7, false), ...both('AT', 20, 10, true), ...both('NL', 21, 9, true)],
        },
        note: '',
        collection: null,
      },
    },
  ]
}

function zone(name: string, countries: string[], rate: Zone['rate'], freeFrom: number): Zone {
  const places = countries.map((country) => ({ country, regions: [], postcodes: [] }))
  return { name, places, rate, freeFrom }
}

/** Up to 1 kg, up to 10 kg, and above. */
function byWeight(light: number, medium: number, heavy: number): Zone['rate'] {
  return {
    by: 'weight',
    steps: [
      { upTo: 1_000, cents: light },
      { upTo: 10_000, cents: medium },
      { upTo: null, cents: heavy },
    ],
  }
}
