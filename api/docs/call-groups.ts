import { findSegment } from './curl.ts'
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
    'price-changes',
    'replacements',
    'images',
    'upload-key',
  ],
  'Attributes and fit': ['attributes', 'part-data', 'fit', 'builds', 'build-check'],
  Search: ['search-suggestions', 'synonyms', 'empty-searches'],
  Drawings: ['drawings'],
  'Basket and lists': ['basket', 'lists'],
  Orders: [
    'orders',
    'purchase',
    'myOrders',
    'myPurchase',
    'order-counts',
    'order-limit',
    'cancellations',
    'charges',
  ],
  Shipping: ['shipped', 'shipments', 'packing-slips'],
  Quotes: ['quotes', 'sent-quotes'],
  Payments: ['create-payment-intent', 'payment-health', 'payment-tasks', 'payment-totals'],
  Stock: ['part-arrivals', 'deliveries'],
  Reviews: ['reviews', 'review-emails', 'reviewable-parts', 'review-moderation'],
  Messages: ['messages', 'my-messages'],
  'Users and profiles': [
    'user',
    'admin',
    'admin-invitations',
    'invitation',
    'profiles',
    'addresses',
    'tax-status',
    'tax-certificate',
  ],
  Customers: ['customers', 'customer-notes', 'customer-tags'],
  Exports: ['exports'],
}

const rest = 'The shop'

/** The overview and a page for each noun. */
export const docsPaths = ['/api/docs', ...[...Object.keys(nouns), rest].map(toNounPath)]

function toNounPath(noun: string) {
  return `/api/docs/${noun.toLowerCase().replaceAll(' ', '-')}`
}

export interface CallGroup {
  noun: string
  path: string
  calls: EndpointSummary[]
}

/** In the order of the nouns, the rest last. */
export function groupCalls(calls: EndpointSummary[]): CallGroup[] {
  const groups = Map.groupBy(calls, findNoun)
  return [...Object.keys(nouns), rest].flatMap((noun) => {
    const group = groups.get(noun)
    return group ? [{ noun, path: toNounPath(noun), calls: group }] : []
  })
}

function findNoun({ path }: EndpointSummary) {
  const segment = findSegment(path)
  return Object.keys(nouns).find((noun) => nouns[noun]!.includes(segment)) ?? rest
}
