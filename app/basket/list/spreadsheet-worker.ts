import { readSpreadsheet, type SpreadsheetText } from './spreadsheet.ts'

addEventListener('message', async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const unreadable = { error: 'We can’t read this file. Save your list as CSV, then choose that file.' }
  const result: SpreadsheetText = await readSpreadsheet(data).catch(() => unreadable)
  postMessage(result)
})
