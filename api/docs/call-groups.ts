import type { EndpointSummary } from './schema-outline.ts'

/** By the first segment of the path. */
const nouns: Record<string, string[]> = {
  Parts: [
    'part',
    'part-lookup',
    'part-suggestions',
    'products',
    'product-imports',
    'part-models',
    'part-documents',
    'drawings',
    'price-changes',
    'images',
    'upload-key',
  ],
  'Basket and lists': ['basket', 'lists'],
  Orders: [
    'orders',
    'purchase',
    'myOrders',
    'myPurchase',
    'order-counts',
    'order-limit',
    'shipped',
    'shipments',
    'packing-slips',
  ],
  Payments: ['create-payment-intent', 'payment-health', 'payment-tasks', 'payment-totals'],
  Stock: ['part-arrivals', 'deliveries'],
  Reviews: ['reviews', 'review-emails', 'review-moderation'],
  Messages: ['messages'],
  'Users and profiles': ['user', 'admin', 'profiles', 'addresses', 'tax-status', 'tax-certificate'],
}

const rest = 'The shop'

export interface CallGroup {
  noun: string
  calls: EndpointSummary[]
}

/** In the order of the nouns, the rest last. */
export function groupCalls(calls: EndpointSummary[]): CallGroup[] {
  const groups = Map.groupBy(calls, findNoun)
  return [...Object.keys(nouns), rest].flatMap((noun) => {
    const group = groups.get(noun)
    return group ? [{ noun, calls: group }] : []
  })
}

function findNoun({ path }: EndpointSummary) {
  const segment = path.replace(/^\/api/, '').split('/')[1] ?? ''
  return Object.keys(nouns).find((noun) => nouns[noun]!.includes(segment)) ?? rest
}
