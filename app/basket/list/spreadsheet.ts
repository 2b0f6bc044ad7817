import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import { type CellValue, readSheet } from 'read-excel-file/web-worker'

const maxUnzippedBytes = 30_000_000
const maxEntries = 1_000
/** Spreadsheets take a tenth of their text. */
const maxRatio = 300
const maxColumns = 100
const maxRows = 10_000

export type SpreadsheetText = { text: string } | { error: string }

const otherFile = 'This isn’t an .xlsx file. Save your list as .xlsx or CSV, then choose that file.'
const tooLarge = 'This spreadsheet is too large. Copy the rows that you need into a new one.'

/** The first sheet, as it would be pasted. */
export async function readSpreadsheet(bytes: Uint8Array<ArrayBuffer>): Promise<SpreadsheetText> {
  const error = checkZip(bytes)
  if (error) return { error }
  // Large parts of a packed file are unpacked in workers of the library's own, which the Content Security Policy refuses.
  const unpacked = zipSync(unzipSync(bytes, { filter: ({ name }) => /\.(?:xml|rels)$/.test(name) }), {
    level: 0,
  })
  const rows = await readSheet(unpacked.buffer as ArrayBuffer, 1)
  if (rows.length > maxRows || rows.some((cells) => cells.length > maxColumns)) return { error: tooLarge }
  const texts = rows.map((cells) => cells.map(writeCell))
  if (!texts.some((cells) => cells.some(Boolean)))
    return { error: 'The first sheet of this file is empty. Put your list there.' }
  return { text: Papa.unparse(texts, { delimiter: '\t', newline: '\n' }) }
}

/** Nothing is unpacked before the sizes are known; fflate unpacks no more than these. */
function checkZip(bytes: Uint8Array): string | undefined {
  let unzipped = 0
  let entries = 0
  let isSpreadsheet = false
  try {
    unzipSync(bytes, {
      filter({ name, originalSize }) {
        unzipped += originalSize
        entries += 1
        isSpreadsheet ||= name === 'xl/workbook.xml'
        return false
      },
    })
  } catch {
    return otherFile
  }
  if (!isSpreadsheet) return otherFile
  if (unzipped > maxUnzippedBytes || unzipped > bytes.length * maxRatio || entries > maxEntries)
    return tooLarge
}

function writeCell(cell: CellValue | Date | null): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'number' ? writeNumber(cell) : String(cell ?? '')
}

/** Three decimals could be thousands. */
function writeNumber(value: number) {
  const text = String(value)
  return /\.\d{3}$/.test(text) ? `${text}0` : text
}
