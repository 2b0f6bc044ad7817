import { type ChangeEvent, useId, useState } from 'react'
import { maxListBytes } from '#shop/basket/list/read-list.ts'
import type { SpreadsheetText } from './spreadsheet.ts'

interface Props {
  disabled?: boolean
  onText: (text: string) => void
  onError: (message: string) => void
}

export function ListFile({ disabled = false, onText, onError }: Props) {
  const id = useId()
  const [reading, setReading] = useState(false)

  async function read({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? []
    // The same file can be chosen again after it was corrected.
    target.value = ''
    if (!file) return
    setReading(true)
    try {
      onText(await readText(file))
    } catch (error) {
      onError(error instanceof FileError ? error.message : 'We can’t read this file. Choose another one.')
    }
    setReading(false)
  }

  return (
    <>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/*"
        className="peer sr-only"
        disabled={disabled || reading}
        onChange={read}
      />
      <label htmlFor={id} className="btn peer-focus-visible:outline-2 peer-focus-visible:outline-primary">
        {reading ? 'Reading the file…' : 'Choose a CSV or Excel file'}
      </label>
    </>
  )
}

class FileError extends Error {}

async function readText(file: File): Promise<string> {
  if (file.size > 2 * maxListBytes)
    throw new FileError('This file is larger than 1 MB. Split it into smaller lists.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const startsWith = (...start: number[]) => start.every((byte, i) => bytes[i] === byte)
  if (startsWith(0x50, 0x4b)) return readInWorker(bytes)
  if (startsWith(0xd0, 0xcf, 0x11, 0xe0))
    throw new FileError(
      'This is an old Excel file (.xls), or it has a password. Save your list as .xlsx without a password or as CSV, then choose that file.',
    )
  // Spreadsheets save “Unicode text” as UTF-16, and older ones CSV in the encoding of Windows.
  if (startsWith(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const maxReadingTime = 30_000

/** A spreadsheet that unpacks to too much, or takes too long, must not stop the page. */
async function readInWorker(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const worker = new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), { type: 'module' })
  try {
    const result = await new Promise<SpreadsheetText>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = reject
      setTimeout(
        () => resolve({ error: 'This spreadsheet takes too long to read. Save it as CSV.' }),
        maxReadingTime,
      )
      worker.postMessage(bytes, [bytes.buffer])
    })
    if ('error' in result) throw new FileError(result.error)
    return result.text
  } finally {
    worker.terminate()
  }
}
