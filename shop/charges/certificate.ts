import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { digest } from './tax-status.ts'

const maxBytes = 10 * 1024 * 1024

/** With the ends of their files’ names. */
export const certificateTypes = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
} as const
export type CertificateType = keyof typeof certificateTypes

export const certificateTypeMessage = 'Choose a PDF, JPEG or PNG file.'
export const certificateSizeMessage = 'A file can have at most 10 MB.'

export const certificateUpload = z.object({
  /** Of what was read. */
  digest,
  name: requiredText('Choose a file', 200),
  /** In Base64. */
  data: z
    .string('Choose a file')
    .min(1, 'This file is empty')
    .max(Math.ceil(maxBytes / 3) * 4, certificateSizeMessage),
})
export type CertificateUpload = z.output<typeof certificateUpload>

export const certificateQuery = z.object({
  /** The customer’s current one if it is absent. */
  file: z.string('file must be text').max(64, 'file is too long').optional(),
})
export type CertificateQuery = z.output<typeof certificateQuery>

export const certificateFile = z.file().mime(Object.keys(certificateTypes) as CertificateType[])
