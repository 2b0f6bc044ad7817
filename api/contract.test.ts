import { expect, inject, test } from 'vitest'
import { signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'
import { testDatabase } from '#test/database.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testApi, testShop } from '#test/shop.ts'
import { type AccessRule, type AnyCall, toPath } from './call.ts'
import { api } from './contract.ts'

const rows = Object.entries(api) as [string, AnyCall][]

/** Expected access per rule; the path has the owner's email and order. */
// biome-ignore format: a table
const allowed: Record<AccessRule, { visitor: boolean; stranger: boolean; owner: boolean; admin: boolean }> = {
  'anyone':      { visitor: true,  stranger: true,  owner: true,  admin: true  },
  'identity':    { visitor: false, stranger: false, owner: false, admin: false },
  'key':         { visitor: false, stranger: false, owner: false, admin: false },
  'member':      { visitor: false, stranger: true,  owner: true,  admin: true  },
  'self':        { visitor: false, stranger: false, owner: true,  admin: true  },
  'self only':  { visitor: false, stranger: false, owner: true,  admin: false },
  'owner':       { visitor: false, stranger: false, owner: true,  admin: true  },
  'owner only': { visitor: false, stranger: false, owner: true,  admin: false },
  'admin':       { visitor: false, stranger: false, owner: false, admin: true  },
}

type Calls = Partial<Record<AccessRule, Record<string, string>>>

/** Written once more, so that a change of who may make a call is noticed; with 201 where that is the response status. */
// biome-ignore format: a table
const required: Calls = {
  'anyone': { listParts: 'GET /part', readPart: 'GET /part/:partId', listReviews: 'GET /reviews' },
  'identity': { signIn: 'PUT /user/:email' },
  'key': { uploadPicture: 'POST /images/upload' },
  'member': {
    placePurchase: 'POST /purchase 201', startPayment: 'POST /create-payment-intent', addReview: 'POST /reviews 201',
  },
  'self': {
    checkAdmin: 'GET /admin/:email', listMyPurchases: 'GET /myPurchase', readProfile: 'GET /profiles/:email',
  },
  'self only': { updateProfile: 'PUT /profiles/:email' },
  'owner': { readPurchase: 'GET /purchase/:id', cancelPurchase: 'DELETE /purchase/:id' },
  'owner only': { payPurchase: 'PATCH /purchase/:id' },
  'admin': {
    listUsers: 'GET /user', makeAdmin: 'PUT /user/admin/:email', addPart: 'POST /part 201', listProducts: 'GET /products',
    deleteProduct: 'DELETE /products/:id', listPurchases: 'GET /purchase', shipPurchase: 'PATCH /shipped/:id',
  },
}

// biome-ignore format: a table
const others: Calls = {
  'anyone': {
    lookUpParts: 'POST /part-lookup', suggestParts: 'GET /search-suggestions', listPartReviews: 'GET /part/:partId/reviews', updateReviewEmails: 'PUT /review-emails',
    sendMessage: 'POST /messages 201', readInvitation: 'POST /invitation', reportVitals: 'POST /vitals',
    readSentQuote: 'GET /sent-quotes/:token', readSpecifications: 'GET /part/:partId/specifications',
    listInterfaces: 'GET /part/:partId/interfaces', readFit: 'GET /fit', readSheet: 'GET /part/:partId/sheet',
    downloadSheet: 'GET /part/:partId/sheets/:revision/pdf', listPartDocuments: 'GET /part/:partId/documents',
    downloadPartDocument: 'GET /part/:partId/documents/:id',
  },
  'member': {
    readStockAlert: 'GET /part/:partId/stock-alert', requestStockAlert: 'PUT /part/:partId/stock-alert',
    removeStockAlert: 'DELETE /part/:partId/stock-alert', readBasket: 'GET /basket', addToBasket: 'POST /basket',
    updateBasket: 'PUT /basket', removeFromBasket: 'DELETE /basket/:partId', listSavedLists: 'GET /lists',
    readSavedList: 'GET /lists/:listId', saveList: 'POST /lists 201', deleteSavedList: 'DELETE /lists/:listId',
    listBuilds: 'GET /builds', readBuild: 'GET /builds/:buildId', saveBuild: 'POST /builds 201', updateBuild: 'PUT /builds/:buildId',
    deleteBuild: 'DELETE /builds/:buildId', checkBuild: 'POST /build-check',
    acceptQuote: 'POST /sent-quotes/:token/order 201', addCertificate: 'PUT /tax-certificate',
    placeOrder: 'POST /orders 201', estimateCharges: 'POST /charges', readOrderLimit: 'GET /order-limit', readPartReviewStatus: 'GET /part/:partId/review-status',
    listReviewableParts: 'GET /reviewable-parts',
    listMyMessages: 'GET /my-messages', readMyMessage: 'GET /my-messages/:id', markMyMessage: 'PUT /my-messages/:id/seen', replyToMyMessage: 'POST /my-messages/:id/replies 201',
  },
  'self': { listMyOrders: 'GET /myOrders', readTaxStatus: 'GET /tax-status/:email', downloadCertificate: 'GET /tax-status/:email/certificate' },
  'self only': {
    signOut: 'DELETE /user/:email/token', requestEmailConfirmation: 'POST /user/:email/confirmation',
    confirmEmail: 'PUT /user/:email/confirmation', listAddresses: 'GET /addresses/:email', addAddress: 'POST /addresses/:email 201',
    updateAddress: 'PUT /addresses/:email/:id', deleteAddress: 'DELETE /addresses/:email/:id',
    setDefaultAddress: 'PUT /addresses/:email/:id/default', acceptInvitation: 'PUT /user/:email/invitation', updateTaxStatus: 'PUT /tax-status/:email',
  },
  'owner': {
    readOrder: 'GET /orders/:id', cancelOrder: 'DELETE /orders/:id', changeDelivery: 'PUT /orders/:id/delivery', readCancellations: 'GET /orders/:id/cancellations',
    readOrderTimeline: 'GET /orders/:id/events',
    listShipments: 'GET /orders/:id/shipments', readTimeline: 'GET /purchase/:id/events', listDocuments: 'GET /orders/:id/documents',
    downloadDocument: 'GET /orders/:id/documents/:document/pdf',
  },
  'owner only': { askAboutOrder: 'POST /orders/:id/messages 201', cancelItems: 'POST /orders/:id/cancellations' },
  'admin': {
    decideCancellation: 'PUT /cancellations/:id', listQuotes: 'GET /quotes', readQuote: 'GET /quotes/:id',
    addQuote: 'POST /quotes 201', updateQuote: 'PUT /quotes/:id', sendQuote: 'POST /quotes/:id/email', withdrawQuote: 'DELETE /quotes/:id',
    removeAdmin: 'DELETE /user/admin/:email', updatePart: 'PUT /part/:partId', readProduct: 'GET /products/:id',
    restockPart: 'POST /part/:partId/arrivals', restockParts: 'POST /part-arrivals', previewPrices: 'GET /price-changes',
    changePrices: 'POST /price-changes', previewImport: 'POST /product-imports/preview', importProducts: 'POST /product-imports',
    listAttributes: 'GET /attributes', readAttribute: 'GET /attributes/:id', addAttribute: 'POST /attributes 201',
    updateAttribute: 'PUT /attributes/:id', moveAttribute: 'PUT /attributes/:id/place', deleteAttribute: 'DELETE /attributes/:id',
    updateSpecifications: 'PUT /part/:partId/specifications', previewPartData: 'POST /part-data/preview',
    importPartData: 'POST /part-data', exportPartData: 'GET /exports/part-data',
    listStockMovements: 'GET /part/:partId/stock-movements', listDeliveries: 'GET /part/:partId/deliveries',
    addDelivery: 'POST /part/:partId/deliveries 201', receiveDelivery: 'POST /deliveries/:id/arrival',
    removeDelivery: 'DELETE /deliveries/:id', listReplacements: 'GET /replacements',
    replacePart: 'PUT /part/:partId/replacement', removeReplacement: 'DELETE /part/:partId/replacement', listPartSuggestions: 'GET /part-suggestions',
    uploadModel: 'POST /part-models', readModel: 'GET /part/:partId/model', deleteModel: 'DELETE /part/:partId/model',
    addPartDocument: 'POST /part-documents', deletePartDocument: 'DELETE /part/:partId/documents/:id',
    listDrawings: 'GET /drawings', readDrawing: 'GET /drawings/:id', addDrawing: 'POST /drawings 201',
    updateDrawing: 'PUT /drawings/:id', deleteDrawing: 'DELETE /drawings/:id',
    createUpload: 'POST /upload-key',
    listOrders: 'GET /orders', shipOrder: 'POST /orders/:id/shipments 201', shipOrders: 'POST /shipments',
    saveTracking: 'PATCH /shipments', undoShipments: 'POST /shipments/undo',
    updateTracking: 'PATCH /shipments/:id', removeShipment: 'DELETE /shipments/:id', countPurchases: 'GET /order-counts',
    refundPurchase: 'POST /purchase/:id/refunds 201', refundOrder: 'POST /orders/:id/refunds 201',
    readPackingSlip: 'GET /orders/:id/packing-slip',
    downloadPackingSlip: 'GET /orders/:id/packing-slip/pdf', readPackingSlips: 'GET /packing-slips',
    downloadPackingSlips: 'GET /packing-slips/pdf', listPaymentTasks: 'GET /payment-tasks', checkPayments: 'GET /payment-health',
    completePaymentTask: 'PATCH /payment-tasks/:id', listMessages: 'GET /messages', markMessage: 'PATCH /messages/:id',
    listAuditLog: 'GET /audit-log', readMessage: 'GET /messages/:id', replyToMessage: 'POST /messages/:id/replies 201',
    assignMessage: 'PUT /messages/:id/assignee', writeAboutOrder: 'POST /orders/:id/customer-messages 201', listAllReviews: 'GET /review-moderation', hideReview: 'PUT /reviews/:id/hidden',
    showReview: 'DELETE /reviews/:id/hidden', answerReview: 'PUT /reviews/:id/answer', listViews: 'GET /views',
    listSynonyms: 'GET /synonyms',
    addSynonym: 'POST /synonyms 201', updateSynonym: 'PUT /synonyms/:id', deleteSynonym: 'DELETE /synonyms/:id',
    previewSynonym: 'POST /synonyms/preview', listEmptySearches: 'GET /empty-searches', saveView: 'POST /views 201', deleteView: 'DELETE /views/:id', readOverview: 'GET /overview', readWorklist: 'GET /worklist',
    exportOrders: 'GET /exports/orders', exportSelectedOrders: 'POST /exports/selected-orders',
    exportSelectedProducts: 'POST /exports/selected-products', exportProducts: 'GET /exports/products',
    exportMessages: 'GET /exports/messages', exportAuditLog: 'GET /exports/audit-log', exportPayments: 'GET /exports/payments',
    readSettings: 'GET /settings', previewEmail: 'POST /settings/email-preview', updateSettings: 'PUT /settings', readPaymentTotals: 'GET /payment-totals', exportUsers: 'GET /exports/users',
    inviteAdmin: 'POST /admin-invitations 201', listInvitations: 'GET /admin-invitations',
    withdrawInvitation: 'DELETE /admin-invitations/:id', readCustomer: 'GET /customers/:id',
    listCustomerTags: 'GET /customer-tags', tagCustomer: 'PUT /customers/:id/tags', untagCustomer: 'DELETE /customers/:id/tags',
    decideTaxStatus: 'PUT /customers/:id/tax-status', linkCustomers: 'PUT /customers/:id/links', unlinkCustomers: 'DELETE /customers/:id/links',
    addCustomerNote: 'POST /customers/:id/notes 201', updateCustomerNote: 'PUT /customer-notes/:id',
    saveInterface: 'PUT /part/:partId/interfaces', removeInterface: 'DELETE /part/:partId/interfaces',
    deleteCustomerNote: 'DELETE /customer-notes/:id',
  },
}

test('the contract contains the 22 required calls, and each call has its access rule', () => {
  const written = (calls: Calls) =>
    Object.entries(calls).flatMap(([rule, those]) =>
      Object.entries(those).map(([name, call]) => `${name}: ${call} ${rule}`),
    )
  expect(written(required)).toHaveLength(22)
  const found = rows.map(([name, { method, path, status, access }]) =>
    [`${name}: ${method} ${path}`, ...(status === 200 ? [] : [status]), access].join(' '),
  )
  expect(found.toSorted()).toEqual([...written(required), ...written(others)].toSorted())
})

const onServer = inject('postgresUrl') !== undefined

for (const [name, call] of rows) {
  const access = allowed[call.access]
  const users = ['visitor', 'stranger', 'owner', 'admin'] as const
  const [admitted, rejected] = [users.filter((who) => access[who]), users.filter((who) => !access[who])]
  const title = `${name}: ${call.method} ${call.path}`

  // The engines do not differ in what is refused before a statement.
  if (onServer && rejected.length > 0)
    test(`${title} rejects ${rejected.join(', ')} and invalid tokens, and changes nothing`, async () => {
      const current = await openFixture()
      for (const who of rejected) {
        const isAuthenticated = who !== 'visitor' && call.access !== 'identity' && call.access !== 'key'
        const rejectedStatus = call.access.startsWith('owner') ? 404 : 403
        const { status } = await send(current, call, current.tokens[who])
        expect({ who, status }).toEqual({ who, status: isAuthenticated ? rejectedStatus : 401 })
      }
      for (const [token, create] of Object.entries(badTokens())) {
        const { status } = await send(current, call, await create(current.shop, current.admin))
        expect({ token, status }).toEqual({ token, status: 401 })
      }
      expect(await keepUnchanged(current)).toBe(true)
    })

  for (const who of admitted)
    test(`${title} allows ${who}`, async () => {
      const current = await openFixture()
      const { status } = await send(current, call, current.tokens[who])
      expect([401, 403]).not.toContain(status)
      expect(status).toBeLessThan(500)
      if (call.access.startsWith('owner')) expect(status).not.toBe(404)
      await keepUnchanged(current)
    })
}

let fixture: Fixture | null = null

/** A fixture that no call has changed. */
async function openFixture() {
  // A failed test drops its database.
  const { db } = await testDatabase()
  const current = fixture?.shop.db === db ? fixture : await createFixture()
  fixture = null
  return current
}

/** Lets the next test use the fixture if no call has changed it, and returns whether that is so. */
async function keepUnchanged(current: Fixture) {
  const isUnchanged = (await digest(current.shop)) === current.digest
  if (isUnchanged) fixture = current
  return isUnchanged
}

interface Fixture {
  shop: TestShop
  api: ReturnType<typeof testApi>
  digest: string
  admin: Member
  owner: Member
  orderId: string
  partId: string
  tokens: Record<'visitor' | 'stranger' | 'owner' | 'admin', string | null>
}

async function createFixture(): Promise<Fixture> {
  const shop = await testShop()
  const [admin, owner, stranger] = [
    await createUser(shop, 'Admin', 'admin'),
    await createUser(shop, 'Owner'),
    await createUser(shop, 'Stranger'),
  ]
  const part = await createPart(shop)
  const client = await clientOf(shop, owner)
  const order = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const tokenOf = (member: Member) => signToken(shop, 'access', { _id: member._id, tokenVersion: 0 })
  const tokens = {
    visitor: null,
    stranger: await tokenOf(stranger),
    owner: await tokenOf(owner),
    admin: await tokenOf(admin),
  }
  return {
    shop,
    admin,
    owner,
    orderId: order._id,
    partId: part._id,
    tokens,
    api: testApi(shop),
    digest: await digest(shop),
  }
}

async function send({ api, owner, orderId, partId }: Fixture, call: AnyCall, token: string | null) {
  const path = toPath(call)
    .replace(':email', encodeURIComponent(owner.email))
    .replace(':partId', partId)
    .replace(':id', call.path.startsWith('/products') ? partId : orderId)
    .replace(':document', 'pro-forma')
  const query = call.path.startsWith('/my') ? `?email=${owner.email}` : ''
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  return api.request(path + query, { method: call.method, ...(headers && { headers }) })
}

function badTokens(): Record<string, (shop: TestShop, admin: Member) => Promise<string> | string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = (admin: Member) => ({ sub: admin._id, aud: 'access', tokenVersion: 0, exp: 9_999_999_999 })
  const claimsOf = (admin: Member) => ({ _id: admin._id, tokenVersion: 0 })
  return {
    nonsense: () => 'nonsense',
    unsigned: (_, admin) => `${encode({ alg: 'none', typ: 'access+jwt' })}.${encode(payload(admin))}.`,
    'signed with another key': (shop, admin) =>
      signToken({ ...shop, secret: new Uint8Array(32).fill(8) }, 'access', claimsOf(admin)),
    'meant for uploads': (shop, admin) => signToken(shop, 'upload', claimsOf(admin)),
    revoked: (shop, admin) => signToken(shop, 'access', { ...claimsOf(admin), tokenVersion: -1 }),
    'of a missing user': (shop) => signToken(shop, 'access', { _id: 'gone', tokenVersion: 0 }),
  }
}

async function digest({ db }: TestShop) {
  const tables = [
    ...['users', 'profiles', 'delivery_addresses', 'parts', 'basket_items', 'saved_lists', 'orders'],
    ...['order_lines', 'order_events', 'shipments', 'invoices', 'payments', 'refunds', 'ledger', 'outbox'],
    ...['reviews', 'messages', 'message_replies', 'pictures', 'stock_alerts', 'expected_deliveries'],
    ...[
      'replacements',
      'synonyms',
      'empty_searches',
      'customer_notes',
      'customer_tags',
      'customer_links',
      'admin_invitations',
      'saved_views',
      'attributes',
      'part_attributes',
      'payment_tasks',
      'audit_log',
      'idempotency_keys',
      'bank.payment_intents',
    ],
  ]
  const rows = tables.map((table) => `(select json_agg(t) from ${table} t)`)
  const result = (await db.execute(`select json_build_array(${rows}) as all`)) as unknown as {
    rows: object[]
  }
  return JSON.stringify(result.rows)
}
