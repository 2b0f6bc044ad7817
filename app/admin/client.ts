import { adminCalls } from '#api/admin-calls.ts'
import { createSessionClient } from '#app/client.ts'

/** What only admins may do, which customers do not load. */
export const adminClient = createSessionClient(adminCalls)
