import { z } from 'zod'
import { auditQuery } from '#shop/audit/audit.ts'
import { requiredText } from '#shop/fields.ts'
import { messageQuery } from '#shop/messages/message.ts'
import { purchaseListQuery } from '#shop/orders/purchase.ts'
import { productQuery } from '#shop/parts/part.ts'
import { userQuery } from '#shop/users/user.ts'
import { paymentPeriod } from './period.ts'

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const exportFile = z.file().mime(['text/csv', xlsxType])

/** CSV is for programs, xlsx for spreadsheets. */
const format = { format: z.enum(['csv', 'xlsx'], 'format must be csv or xlsx').optional() }
export type ExportFormat = z.output<typeof format.format>

export const paymentsExport = paymentPeriod.safeExtend(format)
export type PaymentsExport = z.output<typeof paymentsExport>

/** As many as can be selected. */
export const selected = z.object({
  ids: z
    .array(requiredText('Select at least one row', 64), 'Must be a list of ids')
    .min(1, 'Select at least one row')
    .max(1_000, 'At most 1,000 rows'),
  ...format,
})
export type Selected = z.output<typeof selected>

const allPages = { limit: true, page: true } as const

export const ordersExport = purchaseListQuery.omit(allPages).extend(format)
export const productsExport = productQuery.omit(allPages).extend(format)
export type ProductsExport = z.output<typeof productsExport>
export const messagesExport = messageQuery.omit(allPages).extend(format)
export const auditExport = auditQuery.omit(allPages).extend(format)
export const usersExport = userQuery.omit(allPages).extend(format)
