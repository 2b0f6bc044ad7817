import { z } from 'zod'
import { auditQuery } from '#shop/audit/audit.ts'
import { messageQuery } from '#shop/messages/message.ts'
import { purchaseQuery } from '#shop/orders/purchase.ts'
import { productQuery } from '#shop/parts/part.ts'
import { userQuery } from '#shop/users/user.ts'

export const csvFile = z.file().mime('text/csv')

const allPages = { limit: true, page: true } as const

export const ordersExport = purchaseQuery.omit(allPages)
export const productsExport = productQuery.omit(allPages)
export const messagesExport = messageQuery.omit(allPages)
export const auditExport = auditQuery.omit(allPages)
export const usersExport = userQuery.omit(allPages)
