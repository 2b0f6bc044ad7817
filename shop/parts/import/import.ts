import { z } from 'zod'

export const maxImportRows = 10_000
export const maxImportLength = 10_000_000

export const largeImport = 'This file is larger than 10 MB. Split it into smaller files.'

/** The text of a CSV file with the columns of the export. */
export const importFile = z.object({
  csv: z.string('The file is required').min(1, 'This file is empty').max(maxImportLength, largeImport),
})

/** `digest` is that of the preview. */
export const importRequest = importFile.extend({ digest: z.string('digest is required').max(100) })
export type ImportRequest = z.output<typeof importRequest>

const importRow = z.object({
  /** As spreadsheets number it. */
  row: z.int(),
  partNumber: z.string(),
  name: z.string(),
  kind: z.enum(['error', 'add', 'change', 'unchanged']),
  /** Without a `column`, of the whole row. */
  errors: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
  /** Long texts are shortened. */
  changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
})
export type ImportRow = z.output<typeof importRow>

export const importPreview = z.object({
  /** At most 500: those with errors first, and none that is unchanged. */
  rows: z.array(importRow),
  errors: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  digest: z.string(),
})
export type ImportPreview = z.output<typeof importPreview>

export const importResult = importPreview.pick({ added: true, changed: true, unchanged: true })
export type ImportResult = z.output<typeof importResult>
