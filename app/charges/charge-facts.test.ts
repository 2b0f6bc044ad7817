import { expect, onTestFinished, test } from 'vitest'
import { chargeNothingElse, type OrderCharges } from '#shop/charges/order-charges.ts'
import { setCurrency } from '#shop/money.ts'
import { hasMoreCharges, listCharges, listOrderCharges } from './charge-facts.ts'

const vat = { name: 'VAT', country: 'DE', millionths: 190_000 }
const reduced = { ...vat, millionths: 77_000 }

const german: OrderCharges = {
  goods: 100_000,
  delivery: 1_550,
  tax: 19_295,
  total: 120_845,
  deliveryTax: 295,
  taxes: [{ rate: vat, base: 101_550, tax: 19_295 }],
  mode: 'exclusive',
  buyerTaxId: null,
  deliveryDays: null,
  collected: false,
}

test('listCharges adds delivery and each rate to prices without tax', () => {
  const taxes = [
    { rate: vat, base: 61_550, tax: 11_695 },
    { rate: reduced, base: 40_000, tax: 3_080 },
  ]
  expect(listCharges({ ...german, taxes }, 1_000)).toEqual({
    summands: [
      ['Goods', '$1,000'],
      ['Delivery', '$15.50'],
      ['VAT 19 %', '$116.95'],
      ['VAT 7.7 %', '$30.80'],
    ],
    contained: [],
    note: null,
  })
})

test('listCharges says that delivery is free, and why no tax is charged', () => {
  const untaxed: OrderCharges = {
    ...german,
    delivery: 0,
    tax: 0,
    total: 100_000,
    deliveryTax: 0,
    taxes: [{ reason: 'reverse charge', base: 100_000, tax: 0 }],
  }
  expect(listCharges(untaxed, 1_000)).toEqual({
    summands: [
      ['Goods', '$1,000'],
      ['Delivery', 'Free'],
      ['Tax', '$0'],
    ],
    contained: [],
    note: 'Reverse charge: you account for the tax in your country.',
  })
})

test('listCharges says in the currency of the shop that no tax is charged', () => {
  setCurrency('EUR')
  onTestFinished(() => setCurrency('USD'))
  expect(listCharges({ ...german, taxes: [] }, 1_000).summands.at(-1)).toEqual(['Tax', '€0'])
})

test('listCharges shows inclusive prices and delivery with their tax, and the tax below the total', () => {
  const inclusive: OrderCharges = { ...german, mode: 'inclusive' }
  expect(listCharges(inclusive, 1_190)).toMatchObject({
    summands: [
      ['Goods', '$1,190'],
      ['Delivery', '$18.45'],
    ],
    contained: [['incl. VAT 19 %', '$192.95']],
  })
})

test('listCharges takes the tax out of inclusive prices where none is charged', () => {
  const swiss: OrderCharges = {
    ...german,
    tax: 0,
    total: 101_550,
    deliveryTax: 0,
    taxes: [{ reason: 'no rate', base: 101_550, tax: 0 }],
    mode: 'inclusive',
  }
  expect(listCharges(swiss, 1_190)).toEqual({
    summands: [
      ['Goods', '$1,190'],
      ['Tax not charged', '−$190'],
      ['Delivery', '$15.50'],
    ],
    contained: [],
    note: null,
  })
})

test('the facts of an order have nothing but its total where goods are all that was charged', () => {
  const goods = { charges: chargeNothingElse(28_800), price: 288 }
  expect(listOrderCharges(goods)).toEqual([['Order total', '$288']])
  expect(hasMoreCharges(goods.charges, 288)).toBe(false)
  const delivered = { charges: { ...goods.charges, delivery: 500, total: 29_300 }, price: 288 }
  expect(listOrderCharges(delivered)).toEqual([
    ['Goods', '$288'],
    ['Delivery', '$5'],
    ['Order total', '$293'],
  ])
})

test('an order that was cancelled has the price of its item', () => {
  expect(listOrderCharges({ charges: chargeNothingElse(0), price: 288 })).toEqual([['Order total', '$288']])
})
