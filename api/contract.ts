import { adminCalls } from './admin-calls.ts'
import { customerCalls } from './customer-calls.ts'

/** Single source for the server routes, the client types, the OpenAPI document and the authorization tests. */
export const api = { ...customerCalls, ...adminCalls }
