import { z } from 'zod'
import { auditQuery } from '#shop/audit/audit.ts'
import { requiredText } from '#shop/fields.ts'
import { messageQuery } from '#shop/messages/message.ts'
import { purchaseListQuery } from '#shop/orders/purchase.ts'
import { productQuery } from '#shop/parts/part.ts'
import { userQuery } from '#shop/users/user.ts'

export const csvFile = z.file().mime('text/csv')

/** As many as can be selected. */
export const selected = z.object({
  ids: z
    .array(requiredText('Select at least one row', 64), 'Must be a list of ids')
    .min(1, 'Select at least one row')
    .max(1_000, 'At most 1,000 rows'),
})
export type Selected = z.output<typeof selected>

const allPages = { limit: true, page: true } as const

export const ordersExport = purchaseListQuery.omit(allPages)
export const productsExport = productQuery.omit(allPages)
export const messagesExport = messageQuery.omit(allPages)
export const auditExport = auditQuery.omit(allPages)
export const usersExport = userQuery.omit(allPages)
