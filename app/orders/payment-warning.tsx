import type { Purchase } from '#shop/orders/purchase.ts'

/** For admins: what keeps the order's payment from being the shop's. */
export function PaymentWarning({ order: { dispute, testPayment } }: { order: Purchase }) {
  const label = testPayment ? 'Test payment' : dispute && disputeLabels[dispute]
  return (
    label && (
      <span className="rounded-field border border-warning px-2 py-1 text-sm font-medium whitespace-nowrap">
        {label}
      </span>
    )
  )
}

const disputeLabels = { open: 'Disputed', lost: 'Dispute lost', won: null }
