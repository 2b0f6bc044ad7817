/** The emails to customers that an admin can add lines to. */
export const mailKinds = {
  placed: 'Order placed',
  reminder: 'Payment reminder',
  paid: 'Invoice',
  cancelled: 'Order cancelled',
  shipped: 'Order shipped',
  tracking: 'Tracking number',
  refunded: 'Refund',
  reviewRequest: 'Request for a review',
  stockAlert: 'Back in stock',
} as const
export type MailKind = keyof typeof mailKinds
