import { isDeepStrictEqual } from 'node:util'
import { formatCount } from '#shop/money.ts'
import {
  type CatalogueColumn,
  catalogueColumns,
  type EditableColumn,
  editableColumns,
  formatPriceBreaks,
  parsePriceBreaks,
} from '#shop/parts/catalogue-columns.ts'
import { parseHsCode } from '#shop/parts/customs.ts'
import { parseGtin } from '#shop/parts/gtin.ts'
import { type Product, partChange, partForm } from '#shop/parts/part.ts'
import type { ImportRow } from './import.ts'
import type { FileRow } from './import-file.server.ts'
import { clean, foldInvisible, unwrapNumber } from './imported-text.ts'

/** What an import writes of a part. */
type ImportedFields = Pick<Product, (typeof editableColumns)[EditableColumn]>

export interface PlannedRow extends ImportRow {
  /** Null for a part that is added. */
  part: Product | null
  /** Null for a row with errors, and for an unchanged one. */
  after: ImportedFields | null
}

type Cells = FileRow['cells']
type RowError = ImportRow['errors'][number]

const columns = Object.keys(editableColumns) as EditableColumn[]
const numeric: CatalogueColumn[] = [
  'Price',
  'Minimum quantity',
  'Stock',
  'Reorder point',
  'Multiple',
  'Carton size',
  'Weight (g)',
]

/** `part` is the one with the row’s part number. The row is checked by the rules of the product form. */
export function planRow({ row, cells, hasSurplus }: FileRow, part: Product | null): PlannedRow {
  const partNumber = unwrapNumber(cells['Part number']!)
  const planned = { row, partNumber, name: part?.name ?? cells.Name?.trim() ?? '', part, after: null }
  const refuse = (errors: RowError[]): PlannedRow => ({ ...planned, kind: 'error', errors, changes: [] })
  if (hasSurplus) return refuse([{ column: null, message: 'This row has more cells than there are columns' }])
  if (partNumber === '') return refuse([{ column: 'Part number', message: 'Part number is required' }])

  const edited = part ? columns.filter((column) => isEdited(part, cells, column)) : columns
  const unchanged: PlannedRow = { ...planned, kind: 'unchanged', errors: [], changes: [] }
  if (part && edited.length === 0) return unchanged
  const stockError = part && edited.includes('Stock') ? findStockError(part, cells) : null
  const { errors, after } = readFields(part, cells, edited, partNumber)
  if (stockError || !after) return refuse([...(stockError ? [stockError] : []), ...errors])
  const changes = part ? listChanges(part, after) : []
  if (part && changes.length === 0) return unchanged
  return { ...planned, kind: part ? 'change' : 'add', errors: [], changes, after }
}

function isEdited(part: Product, cells: Cells, column: EditableColumn) {
  const cell = cells[column]
  if (cell === undefined) return false
  const exported = cells['Stock when exported']
  // Sold since, and not edited.
  if (column === 'Stock' && exported !== undefined && isSame(column, cell, exported)) return false
  return !isSame(column, cell, String(catalogueColumns[column].read(part) ?? ''))
}

function isSame(column: EditableColumn, a: string, b: string) {
  return a === b || foldInvisible(normalize(column, a)) === foldInvisible(normalize(column, b))
}

/** As spreadsheets may have written it. More than two zeros may be thousands, which are refused. */
function normalize(column: EditableColumn, cell: string) {
  if (numeric.includes(column)) return unwrapNumber(cell).replace(/^(\d+)[.,]00?$/, '$1')
  if (column === 'Tax class') return clean(cell).toLowerCase()
  if (column === 'Country of origin') return clean(cell).toUpperCase()
  if (column === 'GTIN') return parseGtin(unwrapNumber(cell)) ?? ''
  if (column === 'HS code') return parseHsCode(unwrapNumber(cell)) ?? ''
  if (column !== 'Price breaks') return cell.replaceAll('\r\n', '\n')
  const priceBreaks = parsePriceBreaks(clean(cell))
  return priceBreaks ? formatPriceBreaks(priceBreaks) : cell
}

/** So that an import never undoes what was sold or received since. */
function findStockError({ availableQuantity }: Product, cells: Cells): RowError | null {
  const exported = cells['Stock when exported']
  const column = 'Stock'
  if (exported === undefined)
    return { column, message: 'To change the stock, keep the column Stock when exported' }
  if (isSame(column, exported, String(availableQuantity))) return null
  const message = `The stock was ${exported.trim() || 'not stated'} when this file was exported and is ${formatCount(availableQuantity)} now. Export again, or remove the column Stock`
  return { column, message }
}

function readFields(part: Product | null, cells: Cells, edited: EditableColumn[], partNumber: string) {
  const errors: RowError[] = []
  const typed: Record<string, unknown> = {}
  for (const column of edited) {
    const cell = cells[column]
    if (cell === undefined) continue
    typed[editableColumns[column]] = normalize(column, cell)
    if (column !== 'Price breaks') continue
    typed.priceBreaks = parsePriceBreaks(clean(cell))
    const example = formatPriceBreaks([
      { quantity: 100, unitPrice: 6 },
      { quantity: 500, unitPrice: 5 },
    ])
    if (typed.priceBreaks === null) errors.push({ column, message: `Write price breaks such as ${example}` })
  }
  if (errors.length > 0) return { errors, after: null }
  const parsed = part
    ? partChange.safeParse({ ...part, ...typed, availableQuantityBefore: part.availableQuantity })
    : partForm.safeParse({ partNumber, ...typed })
  if (parsed.success) return { errors, after: toFields(parsed.data, part) }
  for (const { path, message } of parsed.error.issues) errors.push({ column: findColumn(path[0]), message })
  return { errors, after: null }
}

function toFields(form: ReturnType<typeof partForm.parse>, part: Product | null): ImportedFields {
  const { name, shortDescription, description, image, brand = '', category = '' } = form
  const { minQuantity, availableQuantity, perUnitPrice } = form
  const { multiple = part?.multiple ?? 1, cartonSize = null, reorderPoint = null, priceBreaks = [] } = form
  const {
    weight = null,
    taxClass = part?.taxClass ?? 'standard',
    origin = null,
    hsCode = null,
    gtin = null,
  } = form
  return {
    name,
    shortDescription,
    description,
    image,
    brand,
    category,
    minQuantity,
    availableQuantity,
    perUnitPrice,
    multiple,
    cartonSize,
    reorderPoint,
    priceBreaks,
    weight,
    taxClass,
    origin,
    hsCode,
    gtin,
  }
}

function findColumn(field: unknown) {
  if (field === 'partNumber') return 'Part number'
  return columns.find((column) => editableColumns[column] === field) ?? null
}

function listChanges(part: Product, after: ImportedFields): ImportRow['changes'] {
  return columns
    .filter((column) => !isDeepStrictEqual(part[editableColumns[column]], after[editableColumns[column]]))
    .map((column) => {
      const show = (fields: Product) => String(catalogueColumns[column].read(fields) ?? '')
      return { column, before: show(part), after: show({ ...part, ...after }) }
    })
}
