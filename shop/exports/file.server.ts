import { findDay } from '#shop/dates.ts'
import { formatIsoTime } from '#shop/days.server.ts'
import type { FileStream } from '#shop/fields.ts'
import { flattenBatches } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Columns, ExportColumn } from './columns.ts'
import { byteOrderMark, formatCsv } from './csv.ts'
import { type ExportFormat, xlsxType } from './export.ts'

interface ExportedList<Row> {
  list: string
  /** Today when the list has no other. */
  dates?: string
  format: ExportFormat
  columns: Columns<Row>
  batches: AsyncIterable<Row[]>
}

export function createFile<Row>(
  { timeZone }: Pick<Shop, 'timeZone'>,
  { list, dates, format = 'csv', columns, batches }: ExportedList<Row>,
): FileStream {
  const name = `${list}-${dates ?? findDay(Date.now(), timeZone)}.${format}`
  const rows = flattenBatches(batches)
  if (format === 'xlsx')
    return { name, type: xlsxType, chunks: createWorkbook(list, timeZone, columns, rows) }
  return { name, type: 'text/csv; charset=utf-8', chunks: createCsv(timeZone, columns, rows) }
}

async function* createCsv<Row>(timeZone: string, columns: Columns<Row>, batches: AsyncIterable<Row[]>) {
  yield byteOrderMark + formatCsv([Object.keys(columns)])
  const cells = Object.values(columns)
  for await (const rows of batches)
    yield formatCsv(rows.map((row) => cells.map((cell) => formatCell(timeZone, cell, row))))
}

/** Amounts as decimal numbers, which programs and spreadsheets can add up. */
function formatCell<Row>(timeZone: string, { kind, read }: ExportColumn<Row>, row: Row) {
  const value = read(row)
  if (kind === 'amount') return Number(value).toFixed(2)
  return kind === 'time' && value ? formatIsoTime(String(value), timeZone) : value
}

/** Loaded with the first one. */
async function* createWorkbook<Row>(
  sheet: string,
  timeZone: string,
  columns: Columns<Row>,
  batches: AsyncIterable<Row[]>,
) {
  const { writeWorkbook } = await import('./xlsx.server.ts')
  for await (const bytes of writeWorkbook(sheet, timeZone, columns, batches)) yield new Uint8Array(bytes)
}
