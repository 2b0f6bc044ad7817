// All that the bank's server takes of the shop. It works in the same process, on the same database.
export { toRowJson, toWellFormedJson } from '../db/driver/json.ts'
export { prepareOnce } from '../db/driver/prepared.ts'
export { executeRows } from '../db/driver/rows.ts'
export {
  type AnyDatabase,
  type BankCard,
  type BankDisputeTransaction,
  type BankError,
  type BankTaxItem,
  type BillingDetails,
  bankDisputes,
  bankEvents,
  bankRefunds,
  bankRequests,
  bankTaxes,
  charges,
  paymentIntents,
} from '../db/embedded.ts'
export { isHandled } from '../providers/payments/stripe-webhooks.ts'
export { multiplyRounded, splitInShares } from '../shop/charges/shares.ts'
export { isUnavailable } from '../shop/errors.ts'
export { log } from '../telemetry/log.ts'
