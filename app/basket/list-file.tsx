import { type ChangeEvent, useId } from 'react'
import { maxListBytes } from '#shop/basket/part-list.ts'

interface Props {
  disabled?: boolean
  onText: (text: string) => void
  onError: (message: string) => void
}

export function ListFile({ disabled = false, onText, onError }: Props) {
  const id = useId()

  async function read({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? []
    // The same file can be chosen again after it was corrected.
    target.value = ''
    if (!file) return
    try {
      onText(await readText(file))
    } catch (error) {
      onError(error instanceof FileError ? error.message : 'We can’t read this file. Choose another one.')
    }
  }

  return (
    <>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/*"
        className="peer sr-only"
        disabled={disabled}
        onChange={read}
      />
      <label htmlFor={id} className="btn peer-focus-visible:outline-2 peer-focus-visible:outline-primary">
        Choose a CSV file
      </label>
    </>
  )
}

class FileError extends Error {}

async function readText(file: File): Promise<string> {
  if (file.size > 2 * maxListBytes)
    throw new FileError('This file is larger than 1 MB. Split it into smaller lists.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  if (first === 0x50 && second === 0x4b)
    throw new FileError('This is a spreadsheet file. Save it as CSV, then choose that file.')
  // Spreadsheets save “Unicode text” as UTF-16, and older ones CSV in the encoding of Windows.
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
