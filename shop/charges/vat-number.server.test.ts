import { expect, test } from 'vitest'
import { findOwnNumber, readVatNumber } from './vat-number.server.ts'

test.each([
  ['VAT ID DE136695976', 'DE136695976'],
  ['VAT ID: DE 136 695 976', 'DE136695976'],
  ['USt-IdNr.DE136695976', 'DE136695976'],
  ['HRB 12345\nSIREN 303 265 045\nVAT ID: fr 40 303 265 045', 'FR40303265045'],
  ['HRB 12345, VAT ID ATU13585627, tax number 12/345', 'ATU13585627'],
  ['P. IVA IT-00743110157 (Milano)', 'IT00743110157'],
  ['VAT ID XI 980 7806 84', 'XI980780684'],
  ['ΑΦΜ: EL 23456780', 'EL023456780'],
])('findOwnNumber finds the VAT ID in %j', async (lines, number) => {
  expect(await findOwnNumber(lines)).toBe(number)
})

test.each([
  '',
  'HRB 12345',
  'SIREN 123 456 789',
  'HR B 12345',
  'VAT ID DE136695977',
  'GB980780684',
  'VAT ID 136695976',
])('findOwnNumber finds none in %j', async (lines) => {
  expect(await findOwnNumber(lines)).toBeNull()
})

test.each([
  ['BE', '403.019.261', 'BE0403019261'],
  ['NL', 'nl 4495445 b01', 'NL004495445B01'],
  ['GR', 'GR 23456780', 'EL023456780'],
  ['CH', 'CHE-107.787.577 MWST', 'CHE107787577MWST'],
  ['NO', 'NO 995 525 828', 'NO995525828'],
])('readVatNumber reads the number of %s in %j as %s', async (country, typed, number) => {
  expect(await readVatNumber(country, typed)).toBe(number)
})
