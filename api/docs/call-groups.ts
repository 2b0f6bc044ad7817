import { findSegment } from './curl.ts'
import type { EndpointSummary } from './schema-outline.ts'

/** What each is about, and the first segments of the paths of its calls. */
const nouns: Record<string, { sentence: string; segments: string[] }> = {
  Parts: {
    sentence: 'The catalogue: parts with their prices, stock, pictures, documents and replacements.',
    segments: [
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
  },
  'Attributes and fit': {
    sentence: 'Specifications of parts, and whether parts fit each other.',
    segments: ['attributes', 'part-data', 'fit', 'builds', 'build-check'],
  },
  Search: {
    sentence: 'Suggestions, synonyms, and searches that found nothing.',
    segments: ['search-suggestions', 'synonyms', 'empty-searches'],
  },
  Drawings: {
    sentence: 'Exploded drawings, from which parts are ordered.',
    segments: ['drawings'],
  },
  'Basket and lists': {
    sentence: 'A customer’s basket, and the lists saved from it.',
    segments: ['basket', 'lists'],
  },
  Orders: {
    sentence: 'Place, read, change, cancel and refund orders, and estimate what they cost.',
    segments: [
      'orders',
      'purchase',
      'myOrders',
      'myPurchase',
      'order-counts',
      'order-limit',
      'cancellations',
      'charges',
    ],
  },
  Shipping: {
    sentence: 'Ship orders, track them and print packing slips.',
    segments: ['shipped', 'shipments', 'packing-slips'],
  },
  Quotes: {
    sentence: 'Orders at prices of their own, which a customer accepts by a link.',
    segments: ['quotes', 'sent-quotes'],
  },
  Payments: {
    sentence: 'Pay by card, and check payments that need attention.',
    segments: ['create-payment-intent', 'payment-health', 'payment-tasks', 'payment-totals'],
  },
  Stock: {
    sentence: 'Restock parts, and receive deliveries.',
    segments: ['part-arrivals', 'deliveries'],
  },
  Reviews: {
    sentence: 'Customers’ reviews, and the shop’s answers to them.',
    segments: ['reviews', 'review-emails', 'reviewable-parts', 'review-moderation'],
  },
  Messages: {
    sentence: 'Conversations between customers and the shop.',
    segments: ['messages', 'my-messages'],
  },
  'Users and profiles': {
    sentence: 'Sign in, profiles, saved addresses, tax status and admins.',
    segments: [
      'user',
      'admin',
      'admin-invitations',
      'invitation',
      'profiles',
      'addresses',
      'tax-status',
      'tax-certificate',
    ],
  },
  Customers: {
    sentence: 'What admins read and note about a customer.',
    segments: ['customers', 'customer-notes', 'customer-tags'],
  },
  Exports: {
    sentence: 'Orders, parts, users, payments and more as Excel or CSV files.',
    segments: ['exports'],
  },
}

const rest = 'The shop'
const restSentence = 'Settings, the overview, saved views and the audit log.'

/** The overview and a page for each noun. */
export const docsPaths = ['/api/docs', ...[...Object.keys(nouns), rest].map(toNounPath)]

function toNounPath(noun: string) {
  return `/api/docs/${noun.toLowerCase().replaceAll(' ', '-')}`
}

export interface CallGroup {
  noun: string
  sentence: string
  path: string
  calls: EndpointSummary[]
}

/** In the order of the nouns, the rest last. */
export function groupCalls(calls: EndpointSummary[]): CallGroup[] {
  const groups = Map.groupBy(calls, findNoun)
  return [...Object.keys(nouns), rest].flatMap((noun) => {
    const group = groups.get(noun)
    const sentence = nouns[noun]?.sentence ?? restSentence
    return group ? [{ noun, sentence, path: toNounPath(noun), calls: group }] : []
  })
}

function findNoun({ path }: EndpointSummary) {
  const segment = findSegment(path)
  return Object.keys(nouns).find((noun) => nouns[noun]!.segments.includes(segment)) ?? rest
}
