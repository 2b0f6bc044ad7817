import { formatCount } from '#shop/money.ts'

/** The beginning of a path, and what it is opened for; the first that matches counts. */
const purposes: [RegExp, string][] = [
  [/^\/dashboard\/payment\/([A-Za-z-]*\d+)$/, 'pay for order #$1'],
  [/^\/dashboard\/payment\//, 'pay for your order'],
  [/^\/dashboard\/orders\/([A-Za-z-]*\d+)\/ask$/, 'ask about order #$1'],
  [/^\/dashboard\/orders\/([A-Za-z-]*\d+)$/, 'see order #$1'],
  [/^\/dashboard\/orders\/[^/]+\/ask/, 'ask about your order'],
  [/^\/dashboard\/orders\//, 'see your order'],
  [/^\/dashboard(\/myOrders)?$/, 'see your orders'],
  [/^\/dashboard\/questions/, 'see your messages'],
  [/^\/dashboard\/lists/, 'see your lists'],
  [/^\/dashboard\/stockAlerts\//, 'get an email when the part is back in stock'],
  [/^\/dashboard\/addReview$/, 'write a review'],
  [/^\/dashboard\/myProfile$/, 'see your profile'],
  [/^\/dashboard\//, 'open this page'],
  [/^\/part\//, 'order this part'],
  [/^\/confirm-email$/, 'confirm your email address'],
  [/^\/invitation$/, 'accept your invitation'],
]

/** Of the page that asked for a sign-in, for `Log in to …`; null when nothing can be said. `items` is how many the basket has. */
export function describePurpose(from: string, items: number): string | null {
  const path = from.split(/[?#]/, 1)[0]!
  if (path === '/basket' || path === '/quick-order')
    return items === 0 ? 'order' : `order ${formatCount(items)} ${items === 1 ? 'part' : 'parts'}`
  for (const [pattern, purpose] of purposes) {
    const found = pattern.exec(path)
    if (found) return purpose.replace('$1', found[1] ?? '')
  }
  return null
}
