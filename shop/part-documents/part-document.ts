import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'

export const maxDocumentBytes = 20 * 2 ** 20
export const largeDocument = 'Choose a PDF of at most 20 MB.'
export const maxDocuments = 20

export const documentKinds = ['manual', 'certificate', 'drawing', 'other'] as const
export const documentKindNames = {
  manual: 'Manual',
  certificate: 'Certificate',
  drawing: 'Drawing',
  other: 'Document',
} satisfies Record<(typeof documentKinds)[number], string>

export const documentUpload = z.object({
  part: z.string('part is required').max(64),
  kind: z.enum(documentKinds, `Kind must be one of ${documentKinds.join(', ')}`),
  title: requiredText('Title is required', 100),
  /** In base64. */
  file: z
    .string('Choose a PDF')
    .min(1, 'Choose a PDF')
    .max(Math.ceil(maxDocumentBytes / 3) * 4, largeDocument),
})
export type DocumentUpload = z.output<typeof documentUpload>

/** A PDF that anybody may download. */
export const partDocument = z.object({
  _id: z.string(),
  kind: z.enum(documentKinds),
  title: z.string(),
  /** In bytes. */
  size: z.int(),
  addedAt: z.string(),
})
export type PartDocument = z.output<typeof partDocument>
