/** What the ledger has of a refund that failed is an entry beside that of the refund: its reference, and which refund that is. */
export const failureReference = (refund: string) => `${refund} failed`
export const refundReference = (reference: string) => reference.replace(/ failed$/, '')
