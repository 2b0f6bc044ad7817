import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rateLimits } from '#db/schema.ts'
import { accessChecks } from '#shop/access.server.ts'
import { nameForm } from '#shop/profiles/profile.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import { loginForm, newPasswordForm, registrationForm } from '#shop/users/user.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testApi, testShop } from '#test/shop.ts'
import type { AnyCall } from './call.ts'
import { api } from './contract.ts'
import { handlers } from './handlers.ts'
import { createApi, limitWebhookBody, requireSignature } from './server.ts'

/** The longest text, or the least and the greatest number; `any` has no limit of its own below the body's. */
type Limit = number | readonly [least: number, greatest: number] | 'any' | 'choice'
type Limits = Record<string, Limit>

const integer: Limit = [-2_147_483_647, 2_147_483_647]
const paging: Limits = { limit: [1, 1_000], page: [1, 1_000_000] }
const publicPaging: Limits = { ...paging, limit: [1, 100] }
const search: Limits = { ...paging, q: 200, sort: 'choice' }
const partFilters: Limits = {
  q: 200,
  spec: 200,
  sort: 'choice',
  brand: 80,
  minQuantity: 'choice',
  category: 80,
  price: 'choice',
  available: 'choice',
  stock: 'choice',
}
const partSearch: Limits = { ...partFilters, ...publicPaging }
const part: Limits = {
  name: 120,
  shortDescription: 200,
  description: 5_000,
  image: 500,
  views: 'any',
  brand: 80,
  category: 80,
  minQuantity: [1, 1_000_000],
  availableQuantity: [0, 1_000_000],
  perUnitPrice: [1, 999_999],
  partNumber: 40,
  multiple: [1, 1_000_000],
  cartonSize: [2, 1_000_000],
  priceBreaks: 'any',
  reorderPoint: [0, 1_000_000],
  weight: [1, 1_000_000],
  taxClass: 'choice',
  origin: 'choice',
  hsCode: 10,
  gtin: 'any',
}
const attribute: Limits = {
  name: 60,
  category: 80,
  kind: 'choice',
  unit: 'choice',
  choices: 'any',
  isFilter: 'choice',
}
const prices: Limits = {
  ids: 8_000,
  q: 200,
  brand: 80,
  category: 80,
  stock: 'choice',
  percent: [-90, 500],
  amount: [-999_999, 999_999],
}
const password: Limits = { password: 128, confirmPassword: 'any' }
const delivery: Limits = {
  recipient: 80,
  company: 120,
  country: 'choice',
  region: 20,
  postcode: 16,
  town: 80,
  address: 300,
  phoneNumber: 11,
}
const person: Limits = { education: 300, address: 300, phoneNumber: 30, photoURL: 'any', linkedIn: 'any' }

const quote: Limits = {
  email: 'any',
  name: 80,
  validUntil: 'any',
  note: 1_000,
  belowMinimum: 'choice',
  lines: 'any',
}

/** Every field that a caller can send. */
const limits: Record<string, Limits> = {
  signIn: { email: 254 },
  confirmEmail: { token: 100 },
  listUsers: { ...search, role: 'choice', tag: 40, tax: 'choice' },
  inviteAdmin: { email: 'any' },
  readInvitation: { token: 100 },
  acceptInvitation: { token: 100 },
  addCustomerNote: { text: 2_000 },
  updateCustomerNote: { text: 2_000 },
  tagCustomer: { tag: 40 },
  untagCustomer: { tag: 40 },
  addCertificate: { digest: 100, name: 200, data: 13_981_016 },
  downloadCertificate: { file: 64 },
  readFit: { part: 400, with: 400 },
  readSheet: { revision: 9 },
  saveBuild: { name: 80, items: 'any', chosen: 'choice' },
  updateBuild: { name: 80, items: 'any', chosen: 'choice' },
  checkBuild: { partIds: 'any' },
  saveInterface: { interface: 400, role: 'choice', source: 200, date: 'any' },
  removeInterface: { interface: 400 },
  updateTaxStatus: { digest: 100, vatId: 'any', exemption: 'any' },
  decideTaxStatus: { digest: 100, proof: 'choice', decision: 'choice', reason: 500 },
  linkCustomers: { other: 254 },
  unlinkCustomers: { other: 254 },
  listQuotes: { ...search, state: 'choice' },
  addQuote: quote,
  updateQuote: { ...quote, version: 'any' },
  acceptQuote: { ...delivery, saveAddress: 'choice', collect: 'choice', total: 'any' },
  cancelItems: { lines: 'any', reason: 500 },
  decideCancellation: { decision: 'choice', message: 1_000 },
  changeDelivery: { ...delivery, before: 'any' },
  refundOrder: { lines: 'any', delivery: [0.01, 21_474_836.47], reason: 300 },
  askAboutOrder: { message: 5_000, items: 'any' },
  listMyMessages: publicPaging,
  markMyMessage: { replies: [0, Number.MAX_SAFE_INTEGER] },
  replyToMyMessage: { text: 5_000 },
  listParts: partSearch,
  addPart: part,
  // Above a million only as it was.
  updatePart: {
    ...part,
    availableQuantity: [0, 2_147_483_647],
    availableQuantityBefore: integer,
    before: 'any',
  },
  listProducts: partSearch,
  restockPart: { arrived: [1, 1_000_000] },
  restockParts: { arrivals: 'any' },
  listStockMovements: { ...paging, q: 200, kind: 'choice' },
  addDelivery: { expectedOn: 'any', quantity: [1, 1_000_000] },
  receiveDelivery: { arrived: [1, 1_000_000], expected: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] },
  listReplacements: search,
  suggestParts: { q: 200 },
  listSynonyms: search,
  listEmptySearches: search,
  addSynonym: { phrase: 60, terms: 300 },
  updateSynonym: { phrase: 60, terms: 300 },
  previewSynonym: { phrase: 60, terms: 300, q: 200 },
  replacePart: { byId: 64, startsOn: 'any', kind: 'choice', note: 300 },
  previewPrices: prices,
  changePrices: { ...prices, digest: 100 },
  exportSelectedOrders: { format: 'choice', ids: 'any' },
  exportSelectedProducts: { format: 'choice', ids: 'any' },
  previewImport: { csv: 10_000_000 },
  previewPartData: { csv: 10_000_000 },
  importPartData: { csv: 10_000_000, digest: 100 },
  uploadModel: { part: 64, file: 13_981_016 },
  addPartDocument: { part: 64, kind: 'choice', title: 100, file: 27_962_028 },
  addDrawing: { title: 80, image: 500, hotspots: 'any' },
  updateDrawing: { title: 80, image: 500, hotspots: 'any', revision: 'any' },
  listAttributes: { ...search, category: 80 },
  addAttribute: attribute,
  updateAttribute: attribute,
  moveAttribute: { direction: 'choice' },
  updateSpecifications: { values: 'any' },
  importProducts: { csv: 10_000_000, digest: 100 },
  placePurchase: {
    ...delivery,
    saveAddress: 'choice',
    collect: 'choice',
    quantity: integer,
    partId: 64,
    parts: 120,
    price: 'any',
    total: 'any',
    payNow: 'choice',
  },
  lookUpParts: { ids: 'any', texts: 'any' },
  addToBasket: { items: 'any' },
  updateBasket: { items: 'any', join: 'choice' },
  saveList: { name: 80, items: 'any', replace: 'choice' },
  placeOrder: {
    ...delivery,
    saveAddress: 'choice',
    collect: 'choice',
    lines: 'any',
    fromBasket: 'choice',
    total: 'any',
    payNow: 'choice',
  },
  estimateCharges: {
    asAnyone: 'choice',
    collect: 'choice',
    country: 'choice',
    region: 'choice',
    postcode: 16,
    town: 80,
    lines: 'any',
  },
  listOrders: { ...search, limit: [1, 1_000], lines: [1, 100], status: 'choice' },
  listMyOrders: { ...search, limit: [1, 20], status: 'choice', email: 'any' },
  shipOrders: { orders: 'any', deliverTo: 'any' },
  saveTracking: { shipments: 'any' },
  undoShipments: { shipments: 'any' },
  previewEmail: { kind: 'choice', senderName: 80, above: 500, below: 500 },
  readPackingSlips: { orders: 6_400, shipments: 6_400 },
  downloadPackingSlips: { orders: 6_400, shipments: 6_400 },
  completePaymentTask: { refunded: 'choice' },
  shipOrder: { carrier: 40, trackingNumber: 40, lines: 'any', deliverTo: 'any' },
  updateTracking: { carrier: 40, trackingNumber: 40, before: 'any' },
  listPurchases: { ...search, status: 'choice' },
  countPurchases: { q: 200 },
  listMyPurchases: { ...search, status: 'choice', email: 254, limit: [1, 100] },
  startPayment: { price: integer, total: 'any', purchase: 64 },
  payPurchase: { purchase: 'any', transactionId: 300 },
  refundPurchase: {
    amount: [0.01, 21_474_836.47],
    reason: 300,
    returned: [0, 2_147_483_647],
    shipping: 'choice',
    shippedQuantity: integer,
  },
  listReviews: publicPaging,
  listPartReviews: publicPaging,
  addReview: { address: 200, reviews: 2_000, rating: [1, 5], partId: 64 },
  listAllReviews: { ...search, status: 'choice', of: 'choice', answer: 'choice', rating: 'choice' },
  updateReviewEmails: { token: 500, wanted: 'choice' },
  hideReview: { reason: 300 },
  answerReview: { answer: 2_000, before: 2_000 },
  updateProfile: person,
  addAddress: delivery,
  updateAddress: delivery,
  sendMessage: { name: 80, email: 'any', phone: 30, message: 5_000 },
  readOverview: { period: 'choice' },
  listMessages: { ...search, status: 'choice', assignee: 254 },
  exportOrders: { format: 'choice', q: 200, sort: 'choice', status: 'choice' },
  exportProducts: { ...partFilters, format: 'choice' },
  exportPartData: { ...partFilters, format: 'choice' },
  exportAuditLog: {
    format: 'choice',
    q: 200,
    sort: 'choice',
    subjectKind: 'choice',
    subjectId: 64,
    action: 'choice',
  },
  exportMessages: { format: 'choice', q: 200, sort: 'choice', status: 'choice', assignee: 254 },
  exportPayments: { format: 'choice', from: 'choice', to: 'choice' },
  readPaymentTotals: { from: 'choice', to: 'choice' },
  exportUsers: { format: 'choice', q: 200, sort: 'choice', role: 'choice', tag: 40, tax: 'choice' },
  listViews: { list: 'choice' },
  saveView: { list: 'choice', name: 40, query: 500 },
  replyToMessage: { text: 5_000, seen: [0, Number.MAX_SAFE_INTEGER] },
  assignMessage: { assignee: 254 },
  writeAboutOrder: { message: 5_000, items: 'any' },
  listAuditLog: { ...search, subjectKind: 'choice', subjectId: 64, action: 'choice' },
  markMessage: { answered: 'choice' },
  uploadPicture: { image: 'any' },
  reportVitals: {
    page: 100,
    ...Object.fromEntries(['TTFB', 'FCP', 'LCP', 'INP'].map((name) => [name, [0, 600_000]])),
    CLS: [0, 100],
  },
  nameForm: { displayName: 80 },
  loginForm: { email: 'any', password: 128 },
  newPasswordForm: password,
  registrationForm: { ...password, name: 80, email: 'any' },
}

const forms = { nameForm, loginForm, newPasswordForm, registrationForm }
const schemas: Record<string, z.ZodType> = {
  ...Object.fromEntries(Object.entries(api).map(([name, call]) => [name, (call as AnyCall).request])),
  ...forms,
}
const shapes = Object.entries(schemas).flatMap(([name, schema]) => {
  const sent = schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return sent instanceof z.ZodObject ? [{ name, shape: sent.shape as Record<string, z.ZodType> }] : []
})

test('every field that a caller can send has its limit in this table', () => {
  const found = Object.fromEntries(shapes.map(({ name, shape }) => [name, Object.keys(shape).toSorted()]))
  const listed = Object.fromEntries(
    Object.entries(limits).map(([name, all]) => [name, Object.keys(all).toSorted()]),
  )
  expect(found).toEqual(listed)
})

for (const { name, shape } of shapes) {
  test(`each field of ${name} accepts exactly its limit and nothing beyond it`, () => {
    for (const [field, limit] of Object.entries(limits[name] ?? {})) {
      const accepts = (value: unknown) => shape[field]!.safeParse(value).success
      const at = (inside: unknown, outside: unknown) =>
        expect([accepts(inside), accepts(outside)], `${field} ${limit}`).toEqual([true, false])
      // Ones, since phone numbers need a digit.
      if (typeof limit === 'number') at('1'.repeat(limit), '1'.repeat(limit + 1))
      if (typeof limit !== 'object') continue
      const step = Number.isInteger(limit[1]) ? 1 : 0.01
      at(limit[0], limit[0] - step)
      at(limit[1], limit[1] + step)
    }
  })
}

test('emails, addresses of pictures and profiles, and passwords accept exactly their limits', () => {
  const accepts = (name: string, field: string, value: unknown) =>
    shapes.find((form) => form.name === name)!.shape[field]!.safeParse(value).success
  const both = (name: string, field: string, inside: unknown, outside: unknown) =>
    expect([accepts(name, field, inside), accepts(name, field, outside)], `${name}.${field}`).toEqual([
      true,
      false,
    ])
  const label = 'x'.repeat(60)
  const host = `${label}.${label}.${label}`
  const email = (length: number) => `${'a'.repeat(length - host.length - 1)}@${host}`
  const address = (length: number) => `https://a.example/`.padEnd(length, 'x')
  for (const name of ['sendMessage', 'loginForm', 'registrationForm']) {
    both(name, 'email', email(254), email(255))
  }
  both('updateProfile', 'photoURL', address(500), address(501))
  both('updateProfile', 'linkedIn', address(300), address(301))
  for (const name of ['loginForm', 'registrationForm', 'newPasswordForm'])
    both(name, 'password', 'x'.repeat(6), 'x'.repeat(5))
  const views = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length))
  for (const name of ['addPart', 'updatePart']) {
    both(name, 'views', views(7, 500), views(8, 500))
    both(name, 'views', [], views(7, 501))
    const breaks = (count: number) => Array.from({ length: count }, () => ({ quantity: 12, unitPrice: 6 }))
    both(name, 'priceBreaks', breaks(10), breaks(11))
  }
})

test('the calls with an hourly limit are those of this table', () => {
  const found = Object.entries(api).flatMap(([name, { perHour, usersPerNetwork, counts }]) =>
    perHour ? [[name, [perHour, usersPerNetwork, counts]]] : [],
  )
  expect(Object.fromEntries(found)).toEqual({
    signIn: [600, 50, 'all'],
    inviteAdmin: [20, 50, 'successes'],
    readInvitation: [60, 50, 'all'],
    acceptInvitation: [60, 50, 'all'],
    readSentQuote: [600, 50, 'all'],
    saveBuild: [120, 3, 'successes'],
    readFit: [6_000, 50, 'all'],
    readSheet: [1_200, 50, 'all'],
    downloadSheet: [300, 50, 'all'],
    downloadPartDocument: [300, 50, 'all'],
    acceptQuote: [60, 50, 'all'],
    sendQuote: [120, 50, 'successes'],
    uploadModel: [120, 50, 'successes'],
    addPartDocument: [120, 50, 'successes'],
    cancelItems: [60, 50, 'successes'],
    changeDelivery: [60, 50, 'successes'],
    askAboutOrder: [10, 50, 'successes'],
    replyToMyMessage: [10, 50, 'successes'],
    requestEmailConfirmation: [5, 50, 'successes'],
    addToBasket: [1_200, 50, 'all'],
    updateBasket: [1_200, 50, 'all'],
    requestStockAlert: [60, 50, 'all'],
    saveList: [60, 3, 'all'],
    placeOrder: [60, 50, 'all'],
    placePurchase: [120, 50, 'successes'],
    startPayment: [120, 50, 'successes'],
    payPurchase: [240, 50, 'all'],
    downloadDocument: [120, 50, 'all'],
    downloadPackingSlip: [600, 50, 'all'],
    downloadPackingSlips: [600, 50, 'all'],
    addReview: [10, 3, 'successes'],
    updateReviewEmails: [60, 50, 'all'],
    updateProfile: [120, 50, 'all'],
    updateTaxStatus: [30, 50, 'all'],
    addCertificate: [20, 50, 'all'],
    downloadCertificate: [120, 50, 'all'],
    addAddress: [60, 50, 'successes'],
    sendMessage: [10, 50, 'successes'],
    replyToMessage: [120, 50, 'successes'],
    writeAboutOrder: [120, 50, 'successes'],
    saveView: [120, 50, 'successes'],
  })
  const named = (option: 'isLarge' | 'mayRecallCaller') =>
    Object.entries(api).flatMap(([name, call]) => (call[option] ? [name] : []))
  expect(named('isLarge')).toEqual([
    'addCertificate',
    'previewImport',
    'importProducts',
    'previewPartData',
    'importPartData',
    'uploadModel',
    'addPartDocument',
  ])
  // These refuse an ended session in the statement that writes.
  expect(named('mayRecallCaller').toSorted()).toEqual(['acceptQuote', 'placeOrder', 'placePurchase'])
})

/** Calls come from `address.of`. */
async function shopWithAddresses() {
  const shop = await testShop({ rateLimits: true })
  const ada = await createUser(shop, 'Ada')
  const address = { of: '192.0.2.1' }
  const app = createApi(api, handlers(shop), {
    access: accessChecks(shop),
    limits: shop,
    clientAddress: () => address.of,
  })
  const token = await signToken(shop, 'access', { _id: ada._id, tokenVersion: 0 })
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers }
    return (await app.request(path, { method: 'POST', headers: init, body: JSON.stringify(body) })).status
  }
  return { shop, ada, address, post }
}

async function setAttempts({ db }: TestShop, key: string, points: number) {
  const expire = new Date(Date.now() + 3_600_000)
  const values = { key, points, expire }
  await db.insert(rateLimits).values(values).onConflictDoUpdate({ target: rateLimits.key, set: values })
}

test('an account has its hourly limit over all addresses together, and exactly that', async () => {
  const { address, post } = await shopWithAddresses()
  const statuses: number[] = []
  for (let i = 1; i <= 11; i++) {
    address.of = `198.51.100.${i}`
    statuses.push(await post('/api/reviews', { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }))
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429])
})

test('placePurchase and startPayment allow exactly 120 an hour per account, and 6,000 per network', async () => {
  const { shop, ada, address, post } = await shopWithAddresses()
  const part = await createPart(shop, { availableQuantity: 10_000 })
  const placed = await (await clientOf(shop, ada)).placePurchase({
    body: { ...purchase, partId: part._id, quantity: 10 },
  })
  const calls = {
    placePurchase: () => post('/api/purchase', { ...purchase, partId: part._id, quantity: 10 }),
    startPayment: () => post('/api/create-payment-intent', { price: 70, purchase: placed._id }),
  }
  for (const [name, send] of Object.entries(calls)) {
    const account = `${name}:by:${ada._id}`
    await setAttempts(shop, account, 119)
    expect(
      [await send(), await send()].map((status) => status < 300),
      name,
    ).toEqual([true, false])
    await setAttempts(shop, account, 0)
    address.of = '203.0.113.9'
    await setAttempts(shop, `${name}:from:203.0.113.9`, 5_999)
    expect(
      [await send(), await send()].map((status) => status < 300),
      name,
    ).toEqual([true, false])
    address.of = '192.0.2.1'
  }
})

test('refused orders count for their account, and not for its network', async () => {
  const { shop, ada, post } = await shopWithAddresses()
  await setAttempts(shop, `placeOrder:by:${ada._id}`, 58)
  await setAttempts(shop, 'placeOrder:from:192.0.2.1', 2_999)
  const order = {
    address: '4 Canal Street',
    phoneNumber: '01709876543',
    lines: [{ partId: 'x', quantity: 1 }],
  }
  expect([await post('/api/orders', order), await post('/api/orders', order)]).toEqual([409, 409])
  const [ofNetwork] = await shop.db
    .select()
    .from(rateLimits)
    .where(eq(rateLimits.key, 'placeOrder:from:192.0.2.1'))
  expect(ofNetwork!.points).toBe(2_999)
  expect(await post('/api/orders', order)).toBe(429)
})

test('a body of exactly 64 KB is read and one byte more returns 413, also without a content length', async () => {
  const shop = await testShop()
  const send = async (length: number, streamed: boolean) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ message: 'x' }).padEnd(length))
    const body = streamed ? new Blob([bytes]).stream() : bytes
    const headers = {
      'content-type': 'application/json',
      ...(!streamed && { 'content-length': `${length}` }),
    }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await testApi(shop).request('/api/messages', init)
    return [response.status, ((await response.json()) as { message: string }).message]
  }
  for (const streamed of [false, true])
    expect([await send(65_536, streamed), await send(65_537, streamed)]).toEqual([
      [400, 'Name is required'],
      [413, 'The request is too large.'],
    ])
})

test('baskets and lists of 1,000 items with long ids are read, and one byte more than their limits returns 413', async () => {
  const shop = await testShop()
  const app = testApi(shop)
  const token = await signToken(shop, 'access', { _id: (await createUser(shop, 'Ada'))._id, tokenVersion: 0 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const send = async (method: string, path: string, content: object, length = 0) => {
    const body = JSON.stringify(content).padEnd(length)
    const declared = { ...headers, 'content-length': `${Buffer.byteLength(body)}` }
    return (await app.request(path, { method, headers: declared, body })).status
  }
  const priceBreaks = Array.from({ length: 5 }, (_, i) => ({ quantity: 100_000 + i, unitPrice: 10_000 - i }))
  const seen = { perUnitPrice: 10_001, minQuantity: 10, multiple: 1, priceBreaks }
  const items = Array.from({ length: 1_000 }, (_, i) => ({
    partId: `${i}`.padEnd(64, 'x'),
    name: 'Ü'.repeat(120),
    quantity: 1_000_000,
    seen,
  }))
  const list = { name: 'All', items: items.map(({ partId, quantity }) => ({ partId, quantity })) }
  expect(await send('PUT', '/api/basket', { items })).toBe(200)
  expect(await send('POST', '/api/basket', { items })).toBe(404)
  expect(await send('POST', '/api/lists', list)).toBe(201)
  for (const method of ['PUT', 'POST'])
    expect(await send(method, '/api/basket', {}, 1024 * 1024 + 1)).toBe(413)
  expect(await send('POST', '/api/lists', {}, 128 * 1024 + 1)).toBe(413)
})

test('an import of 28 MB is read for an admin alone, and one byte more returns 413', async () => {
  const shop = await testShop()
  const admin = await createUser(shop, 'Boss', 'admin')
  const token = await signToken(shop, 'access', { _id: admin._id, tokenVersion: 0 })
  const send = async (length: number, authorization: string) => {
    const body = JSON.stringify({ csv: 'Colour' }).padEnd(length)
    const headers = { 'content-type': 'application/json', 'content-length': `${length}`, authorization }
    return (await testApi(shop).request('/api/product-imports/preview', { method: 'POST', headers, body }))
      .status
  }
  expect([await send(28_000_000, `Bearer ${token}`), await send(28_000_001, `Bearer ${token}`)]).toEqual([
    400, 413,
  ])
  expect(await send(28_000_001, '')).toBe(401)
})

test('every call that reads a query accepts at most 30 parameters', async () => {
  const shop = await testShop()
  const app = testApi(shop)
  const paths = Object.values(api).flatMap(({ method, path, access }) =>
    method === 'GET' && access === 'anyone' ? [`/api${path.replace(':partId', 'x')}`] : [],
  )
  expect(paths.length).toBeGreaterThan(2)
  const message = async (path: string, count: number) => {
    const query = Array.from({ length: count }, (_, i) => `p${i}=1`).join('&')
    return ((await (await app.request(`${path}?${query}`)).json()) as { message?: string }).message
  }
  for (const path of paths) {
    expect(await message(path, 31)).toBe('Send at most 30 parameters.')
    expect(await message(path, 30)).not.toBe('Send at most 30 parameters.')
  }
})

test('the body of a webhook event has at most 256 KB', async () => {
  const app = new Hono().post('/', limitWebhookBody, async (c) => c.text(String((await c.req.text()).length)))
  app.onError((error, c) => c.text((error as Error & { code?: string }).code ?? '', 413))
  const send = async (length: number) => {
    const headers = { 'content-length': `${length}` }
    return (await app.request('/', { method: 'POST', headers, body: 'x'.repeat(length) })).text()
  }
  expect([await send(262_144), await send(262_145)]).toEqual(['262144', 'too-large'])
})

test('a webhook event without a signature is rejected before its body is read', async () => {
  const app = new Hono().post('/', requireSignature, limitWebhookBody, (c) => c.text('read'))
  app.onError((error, c) => c.text((error as Error & { code?: string }).code ?? ''))
  const send = async (signature?: string) => {
    const headers = { 'content-length': '262145', ...(signature && { 'stripe-signature': signature }) }
    return (await app.request('/', { method: 'POST', headers, body: 'x'.repeat(262_145) })).text()
  }
  const hash = '0'.repeat(64)
  const unsigned = [undefined, 't=1', `t=1,v0=${hash}`, `t=1,v1=${hash}0`, 'v1=']
  expect(await Promise.all(unsigned.map(send))).toEqual(unsigned.map(() => 'invalid'))
  const signed = [`t=1,v1=${hash}`, `v1=${hash},t=1`, `t=1,v1=x,v1=${hash},v0=${hash}`]
  expect(await Promise.all(signed.map(send))).toEqual(signed.map(() => 'too-large'))
})

test('an Idempotency-Key has at most 255 characters', async () => {
  const { post } = await shopWithAddresses()
  const message = { name: 'Ada', email: 'ada@example.com', phone: '5550100', message: 'Hello' }
  const send = (length: number) => post('/api/messages', message, { 'idempotency-key': 'k'.repeat(length) })
  expect([await send(255), await send(256)]).toEqual([201, 400])
})

test('an access token has at most 4,096 characters', async () => {
  const shop = await testShop()
  const lengths: number[] = []
  const app = createApi(api, handlers(shop), {
    access: {
      ...accessChecks(shop),
      authenticate: async (token) => {
        lengths.push(token.length)
        return null
      },
    },
    limits: shop,
    clientAddress: () => '192.0.2.1',
  })
  for (const length of [4_096, 4_097]) {
    const headers = { authorization: `Bearer ${'x'.repeat(length)}` }
    expect((await app.request('/api/user', { headers })).status).toBe(401)
  }
  expect(lengths).toEqual([4_096])
})
