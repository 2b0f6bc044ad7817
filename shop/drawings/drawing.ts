import { z } from 'zod'
import { requiredText, wholeNumber } from '#shop/fields.ts'

export const maxHotspots = 100

const place = z.int('Must be a whole number').min(0, 'At least 0').max(1000, 'At most 1,000')

/** In their order: the first has number 1. */
const hotspotForm = z.object({
  partNumber: requiredText('Part number is required', 40),
  /** In thousandths of the picture's width and height, from its upper left. */
  x: place,
  y: place,
  quantity: wholeNumber('Quantity is required').pipe(z.int().min(1, 'At least 1').max(1000, 'At most 1,000')),
})

export const drawingForm = z.object({
  title: requiredText('Title is required', 80).overwrite((title) => title.replace(/\s+/g, ' ')),
  image: requiredText('Picture is required', 500),
  hotspots: z
    .array(hotspotForm, 'Must be a list of spots')
    .min(1, 'Add at least one spot')
    .max(maxHotspots, `At most ${maxHotspots} spots`),
})
export type DrawingForm = z.output<typeof drawingForm>
export type DrawingInput = z.input<typeof drawingForm>

/** `revision` is the one that was read. */
export const drawingChange = drawingForm.extend({ revision: z.int('revision is required') })
export type DrawingChange = z.output<typeof drawingChange>

export const drawing = z.object({
  _id: z.string(),
  title: z.string(),
  image: z.string(),
  revision: z.int(),
  changedAt: z.string(),
  hotspots: z.array(
    z.object({
      number: z.int(),
      partId: z.string(),
      partNumber: z.string(),
      name: z.string(),
      /** Whether its part is deleted. */
      deleted: z.boolean(),
      x: z.int(),
      y: z.int(),
      quantity: z.int(),
    }),
  ),
})
export type Drawing = z.output<typeof drawing>

export const listedDrawing = drawing
  .pick({ _id: true, title: true, image: true, revision: true, changedAt: true })
  .extend({ parts: z.int() })
export type ListedDrawing = z.output<typeof listedDrawing>
