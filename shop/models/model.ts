import { z } from 'zod'

export const maxModelBytes = 10 * 2 ** 20
export const largeModel = 'Choose a model of at most 10 MB.'

/** The file in base64. */
export const modelUpload = z.object({
  part: z.string('part is required').max(64),
  file: z
    .string('The file is required')
    .min(1, 'The file is required')
    .max(Math.ceil(maxModelBytes / 3) * 4, largeModel),
})
export type ModelUpload = z.output<typeof modelUpload>

export const partModel = z.object({
  /** Of `/models/HASH.glb`. */
  hash: z.string(),
  size: z.int(),
  triangles: z.int(),
  uploadedAt: z.string(),
})
export type PartModel = z.output<typeof partModel>

/** Of a part that may have none. */
export const storedModel = z.object({ model: partModel.nullable() })
