import { expect, test } from 'vitest'
import { describePurpose } from './sign-in-purpose.ts'

test('describePurpose says what a page was opened for, without what else is in its address', () => {
  const purposes: [from: string, items: number, purpose: string | null][] = [
    ['/basket', 2, 'order 2 parts'],
    ['/basket?from=list', 1, 'order 1 part'],
    ['/quick-order', 0, 'order'],
    ['/part/5f1c', 3, 'order this part'],
    ['/dashboard/payment/1042', 0, 'pay for order #1042'],
    ['/dashboard/payment/WW-1042?again', 0, 'pay for order #WW-1042'],
    ['/dashboard/payment/1b2f7a50-9d3e-4f0c-8a70-0d0ff3a1a9aa', 0, 'pay for your order'],
    ['/dashboard/orders/1042', 0, 'see order #1042'],
    ['/dashboard/orders/1042/ask', 0, 'ask about order #1042'],
    ['/dashboard/orders/call 555 0100', 0, 'see your order'],
    ['/dashboard', 0, 'see your orders'],
    ['/dashboard?q=chain', 0, 'see your orders'],
    ['/dashboard/questions/7', 0, 'see your messages'],
    ['/dashboard/auditLog', 0, 'open this page'],
    ['/invitation?token=x', 0, 'accept your invitation'],
    ['/', 0, null],
    ['/parts', 2, null],
  ]
  for (const [from, items, purpose] of purposes)
    expect({ from, purpose: describePurpose(from, items) }).toEqual({ from, purpose })
})
