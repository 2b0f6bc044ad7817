import { Link } from 'react-router'
import type { ContactState } from '#app/content/contact-prefill.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Opens the contact form; `about` begins the message. */
export function ReportProblem({ order, about }: { order: Purchase; about: string }) {
  const state: ContactState = { contact: { phone: order.phoneNumber, message: `${about}:\n` } }
  return (
    <Link to="/#contact" state={state} className="link">
      Something is wrong with this order
    </Link>
  )
}
