import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeXlsxStream } from 'hucre/xlsx'
import { toWallClock } from '#shop/days.server.ts'
import type { Columns, ExportColumn } from './columns.ts'

/** More, and Excel declares the file damaged. */
const maxCellLength = 32_767
const cutNote = ' … (The CSV export has all of it.)'

const rowsPerTurn = 20

const formats = (timeZone: string) => ({
  // What somebody types over it stays text, too.
  text: { width: 24, style: { numFmt: '@' } },
  count: { width: 12 },
  amount: { width: 12, style: { numFmt: '0.00' } },
  // Wide enough for the name of the zone.
  time: { width: 21 + timeZone.length, style: { numFmt: `yyyy-mm-dd hh:mm:ss "${timeZone}"` } },
})

/** The bytes of an .xlsx file, compressed on other threads as its rows are read. */
export function writeWorkbook<Row>(
  sheet: string,
  timeZone: string,
  columns: Columns<Row>,
  batches: AsyncIterable<Row[]>,
) {
  const findFormat = formats(timeZone)
  return writeXlsxStream(listRows(timeZone, Object.values(columns), batches), {
    name: sheet,
    columns: Object.entries(columns).map(([header, { kind }]) => ({ header, ...findFormat[kind] })),
    freezePane: { rows: 1 },
  })
}

async function* listRows<Row>(timeZone: string, columns: ExportColumn<Row>[], batches: AsyncIterable<Row[]>) {
  for await (const rows of batches) {
    for (const [i, row] of rows.entries()) {
      yield columns.map((column) => toCell(timeZone, column, row))
      // Writing a cell takes several times as long as in CSV.
      if (i % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    }
  }
}

function toCell<Row>(timeZone: string, { kind, read }: ExportColumn<Row>, row: Row) {
  const value = read(row)
  if (value === null || value === '') return null
  if (kind === 'time') return toWallClock(String(value), timeZone)
  return typeof value === 'string' ? escapeText(value) : value
}

/** XML can’t hold some characters, and spreadsheets read `_x0041_` as an A. Text is never run as a formula. */
function escapeText(text: string) {
  const whole = text.toWellFormed().replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
  const cut =
    whole.length > maxCellLength
      ? `${whole.slice(0, maxCellLength - cutNote.length).replace(/[\uD800-\uDBFF]$/, '')}${cutNote}`
      : whole
  return cut.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}
