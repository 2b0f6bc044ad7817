import { z } from 'zod'
import { importFile, importPreview, importResult } from '#shop/parts/import/import.ts'

/** Facts of parts in long form: one a row. Its kind says what a row is about. */
export const partDataColumns = ['Part number', 'Kind', 'Name', 'Value', 'Source', 'Date', 'Note'] as const
export type PartDataColumn = (typeof partDataColumns)[number]

export const maxPartDataRows = 50_000

/** `digest` is that of the preview. */
export const partDataRequest = importFile.extend({ digest: z.string('digest is required').max(100) })
export type PartDataRequest = z.output<typeof partDataRequest>

/** Counts rows, each of which is one fact. */
export const partDataPreview = importPreview.extend({ removed: z.int() })
export type PartDataPreview = z.output<typeof partDataPreview>

export const partDataResult = importResult.extend({ removed: z.int() })
export type PartDataResult = z.output<typeof partDataResult>
