// Writes test/world/spreadsheets/: one order as LibreOffice Calc saves it in three languages, as CSV and as .xlsx.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const order = [
  ['WW-CN12', 'Meridian 12-Speed Chain', 1200, 22],
  ['WW-TY29', 'Bramble 29 x 2.4 Trail Tyre', 24, 42],
  ['WW-FK130', 'Ravine 130 Air Suspension Fork, 29"', 8, 310.5],
]

/** `code` is LibreOffice's number of the language. */
const locales = [
  {
    name: 'en-US',
    code: 1033,
    separator: 44,
    names: ['Pos', 'Part number', 'Description', 'Quantity', 'Unit', 'Unit price', 'Amount'],
    title: 'Purchase order 4711',
    total: 'Total',
    unit: 'pcs',
  },
  {
    name: 'de-DE',
    code: 1031,
    separator: 59,
    names: ['Pos.', 'Artikel-Nr.', 'Bezeichnung', 'Menge', 'Einheit', 'Einzelpreis', 'Gesamtpreis'],
    title: 'Bestellung 4711',
    total: 'Summe',
    unit: 'Stk',
  },
  {
    name: 'fr-FR',
    code: 1036,
    separator: 59,
    names: ['Ligne', 'Référence', 'Désignation', 'Quantité', 'Unité', 'Prix unitaire', 'Montant'],
    title: 'Commande 4711',
    total: 'Total',
    unit: 'pce',
  },
]

const folder = new URL('./spreadsheets/', import.meta.url).pathname
const temporary = mkdtempSync(join(tmpdir(), 'spreadsheets-'))

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const text = (value) =>
  `<table:table-cell office:value-type="string"><text:p>${escapeXml(value)}</text:p></table:table-cell>`
const number = (value, style) =>
  `<table:table-cell table:style-name="${style}" office:value-type="float" office:value="${value}"/>`
const row = (cells) => `<table:table-row>${cells.join('')}</table:table-row>`
const empty = '<table:table-cell/>'

function numberStyle(name, decimals, language, country) {
  return `<number:number-style style:name="n${name}" number:language="${language}" number:country="${country}">
    <number:number number:decimal-places="${decimals}" number:min-decimal-places="${decimals}" number:min-integer-digits="1" number:grouping="true"/></number:number-style>
    <style:style style:name="${name}" style:family="table-cell" style:data-style-name="n${name}"/>`
}

/** `hasHeader` also brings a title and a total. */
function writeSheet({ name, names, title, total, unit }, hasHeader, quantityDecimals) {
  const [language, country] = name.split('-')
  const rows = order.map(([partNumber, part, quantity, price], i) =>
    row([
      number((i + 1) * 10, 'whole'),
      text(partNumber),
      text(part),
      number(quantity, 'quantity'),
      text(unit),
      number(price, 'money'),
      number(quantity * price, 'money'),
    ]),
  )
  const sum = order.reduce((before, [, , quantity, price]) => before + quantity * price, 0)
  const above = [row([text(title)]), row([empty]), row(names.map(text))]
  const below = [row([empty, text(total), empty, empty, empty, empty, number(sum, 'money')])]
  const all = hasHeader ? [...above, ...rows, ...below] : rows
  return `<?xml version="1.0" encoding="UTF-8"?>
  <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
  <office:automatic-styles>${numberStyle('whole', 0, language, country)}${numberStyle('quantity', quantityDecimals, language, country)}${numberStyle('money', 2, language, country)}</office:automatic-styles>
  <office:body><office:spreadsheet><table:table table:name="Order">${all.join('')}</table:table></office:spreadsheet></office:body></office:document>`
}

for (const locale of locales)
  for (const [kind, hasHeader, decimals] of [
    ['order', true, 0],
    ['rows', false, 0],
    ['three-decimals', true, 3],
  ]) {
    const source = join(temporary, `${kind}-${locale.name}.fods`)
    writeFileSync(source, writeSheet(locale, hasHeader, decimals))
    const csv = `csv:Text - txt - csv (StarCalc):${locale.separator},34,76,1,,${locale.code},false,true`
    for (const target of [csv, 'xlsx'])
      execFileSync('soffice', [
        `-env:UserInstallation=file://${temporary}/profile`,
        '--headless',
        '--convert-to',
        target,
        '--outdir',
        folder,
        source,
      ])
  }
