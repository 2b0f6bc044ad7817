import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import type { TestShop } from './shop.ts'

const always = { from: '2020-01-01', until: null, onDelivery: true, regions: [] }

function toPlace(country: string, regions: string[] = []) {
  return { country, regions, postcodes: [] }
}

/** Of a shop in Germany: prices with tax, two rates, and reverse charge to Austria. */
export const euRates: DeliveryAndTax = {
  zones: [
    {
      name: 'Germany',
      places: [toPlace('DE')],
      rate: { by: 'order', cents: 1_190 },
      freeFrom: 100_000,
    },
    { name: 'Austria', places: [toPlace('AT')], rate: { by: 'order', cents: 2_400 }, freeFrom: null },
  ],
  tax: {
    mode: 'inclusive',
    rates: [
      { ...always, name: 'VAT', country: 'DE', class: 'standard', millionths: 190_000, reverseCharge: false },
      { ...always, name: 'VAT', country: 'DE', class: 'reduced', millionths: 70_000, reverseCharge: false },
      { ...always, name: 'VAT', country: 'AT', class: 'standard', millionths: 200_000, reverseCharge: true },
      { ...always, name: 'VAT', country: 'AT', class: 'reduced', millionths: 100_000, reverseCharge: true },
    ],
  },
  note: '',
}

/** Of a shop in the United States: prices without tax, and two states, of which one leaves delivery untaxed. */
export const usRates: DeliveryAndTax = {
  zones: [
    {
      name: 'West',
      places: [toPlace('US', ['CA', 'WA'])],
      rate: {
        by: 'goods',
        steps: [
          { upTo: 50_000, cents: 1_550 },
          { upTo: null, cents: 2_995 },
        ],
      },
      freeFrom: 100_000,
    },
  ],
  tax: {
    mode: 'exclusive',
    rates: [
      {
        ...always,
        name: 'Sales tax',
        country: 'US',
        regions: ['CA'],
        class: 'standard',
        millionths: 88_750,
        onDelivery: false,
        reverseCharge: false,
      },
      {
        ...always,
        name: 'Sales tax',
        country: 'US',
        regions: ['WA'],
        class: 'standard',
        millionths: 101_000,
        reverseCharge: false,
      },
    ],
  },
  note: '',
}

/** Of a shop that nobody has set up: its country is the one of the United States. */
export const homeRates: DeliveryAndTax = {
  zones: [
    { name: 'Home', places: [toPlace('US')], rate: { by: 'order', cents: 1_550 }, freeFrom: 1_000_000 },
  ],
  tax: {
    mode: 'exclusive',
    rates: (['standard', 'reduced'] as const).map((taxClass) => ({
      ...always,
      name: 'Sales tax',
      country: 'US',
      class: taxClass,
      millionths: 88_750,
      reverseCharge: false,
    })),
  },
  note: '',
}

/** Until an admin saves others. */
export function withRates(shop: TestShop, deliveryAndTax: DeliveryAndTax, country: string): TestShop {
  const { defaults } = shop.settings
  const company = { ...defaults.company, country }
  return { ...shop, settings: createSettingsMemory(shop.db, { ...defaults, company, deliveryAndTax }) }
}
