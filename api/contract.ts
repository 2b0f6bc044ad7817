import { z } from 'zod'
import { addressForm, savedAddress } from '#shop/addresses/address.ts'
import { auditEntry, auditQuery } from '#shop/audit/audit.ts'
import { basket, basketAddition, basketChange } from '#shop/basket/basket.ts'
import { savedList, savedListForm, savedListSummary } from '#shop/basket/saved-list.ts'
import { orderDocument, packingSlip, packingSlipsQuery, pdfFile } from '#shop/documents/document.ts'
import {
  auditExport,
  csvFile,
  messagesExport,
  ordersExport,
  productsExport,
  usersExport,
} from '#shop/exports/export.ts'
import { paymentPeriod, paymentTotals } from '#shop/exports/period.ts'
import { publicPaging } from '#shop/fields.ts'
import {
  assignment,
  conversation,
  message,
  messageAnswered,
  messageForm,
  messageQuery,
  replyForm,
} from '#shop/messages/message.ts'
import { order, orderListQuery, orderRequest } from '#shop/orders/order.ts'
import {
  orderEvent,
  paymentConfirmation,
  paymentRequest,
  purchase,
  purchaseCounts,
  purchaseListQuery,
  purchaseQuery,
  purchaseRequest,
  refundRequest,
} from '#shop/orders/purchase.ts'
import {
  shipItemsRequest,
  shipItemsResult,
  shipment,
  shipmentRequest,
  tracking,
} from '#shop/orders/shipment.ts'
import { overview, overviewQuery } from '#shop/overview/overview.ts'
import { importFile, importPreview, importRequest, importResult } from '#shop/parts/import.ts'
import {
  part,
  partChange,
  partForm,
  partLookup,
  partQuery,
  partSuggestions,
  partSummary,
  product,
  productQuery,
  restockForm,
  restocksForm,
} from '#shop/parts/part.ts'
import { priceChange, priceChangeRequest, pricePreview } from '#shop/parts/price-change.ts'
import { paymentHealth, paymentTask } from '#shop/payments/task.ts'
import { profile, profileForm } from '#shop/profiles/profile.ts'
import { answerForm, hideForm, moderatedReview, reviewQuery } from '#shop/reviews/moderation.ts'
import { partReviewStatus, review, reviewEmailChoice, reviewForm } from '#shop/reviews/review.ts'
import { deliveryForm, expectedDelivery, stockAlert } from '#shop/stock/delivery.ts'
import { movementQuery, stockMovement } from '#shop/stock/stock-movement.ts'
import { confirmationToken, user, userQuery } from '#shop/users/user.ts'
import { savedView, viewForm, viewQuery } from '#shop/views/saved-view.ts'
import { vitals } from '#shop/vitals/vitals.ts'
import { worklist } from '#shop/worklist/worklist.ts'
import { call, pageOf } from './call.ts'

const nothing = z.unknown().transform(() => undefined)
const email = z.object({ email: z.string('Email is required').max(254, 'Provide a valid email') })
const search = purchaseQuery.pick({ q: true })
const mine = purchaseQuery.extend({ ...email.shape, limit: publicPaging.shape.limit })
const myOrders = orderListQuery.extend(email.shape)
const shipped = z.object({ shipping: z.boolean('shipping must be true or false').optional() }).optional()
const picture = z.object({ image: z.instanceof(Blob, { error: 'Send exactly one file in the field image' }) })

const token = z.object({ token: z.string() })
const sent = z.object({ sentTo: z.string() })
const admin = z.object({ admin: z.boolean() })
/** `processing`: the card was accepted and the result is pending. */
const intent = z.object({ clientSecret: z.string(), processing: z.boolean() })
const uploadUrl = z.object({ url: z.string() })
const uploaded = z.object({ success: z.boolean(), data: z.object({ url: z.string() }) })
const inserted = z.object({ insertedId: z.string() })
const modified = z.object({ modifiedCount: z.int() })
const deleted = z.object({ deletedCount: z.int() })
const counted = z.object({ counted: z.int() })
const inStock = z.object({ availableQuantity: z.int() })

/** Single source for the server routes, the client types, the OpenAPI document and the authorization tests. */
// biome-ignore format: a table
export const api = {
  //                  method    path                      who may        request              response
  signIn:        call('PUT',    '/user/:email',           'identity',    email,               token,     { perHour: 600, counts: 'all' }),
  signOut:       call('DELETE', '/user/:email/token',     'self only',   nothing,             modified),
  requestEmailConfirmation: call('POST', '/user/:email/confirmation', 'self only', nothing,  sent, { perHour: 5 }),
  confirmEmail:  call('PUT',    '/user/:email/confirmation', 'self only', confirmationToken, modified),
  checkAdmin:    call('GET',    '/admin/:email',          'self',        nothing,             admin),
  listUsers:     call('GET',    '/user',                  'admin',       userQuery,           pageOf(user)),
  makeAdmin:     call('PUT',    '/user/admin/:email',     'admin',       nothing,             modified),
  removeAdmin:   call('DELETE', '/user/admin/:email',     'admin',       nothing,             modified),

  listParts:     call('GET',    '/part',                  'anyone',      partQuery,           pageOf(part)),
  readPart:      call('GET',    '/part/:partId',          'anyone',      nothing,             part),
  addPart:       call('POST',   '/part',                  'admin',       partForm,            inserted, { status: 201 }),
  updatePart:    call('PUT',    '/part/:partId',          'admin',       partChange,          modified),
  listProducts:  call('GET',    '/products',              'admin',       productQuery,        pageOf(product)),
  readProduct:   call('GET',    '/products/:id',          'admin',       nothing,             product),
  restockPart:   call('POST',   '/part/:partId/arrivals', 'admin',       restockForm,         inStock),
  restockParts:  call('POST',   '/part-arrivals',         'admin',       restocksForm,        modified),
  previewPrices: call('GET',    '/price-changes',         'admin',       priceChange,         pricePreview),
  changePrices:  call('POST',   '/price-changes',         'admin',       priceChangeRequest,  modified),
  previewImport: call('POST',   '/product-imports/preview', 'admin',     importFile,          importPreview, { isLarge: true }),
  importProducts: call('POST',  '/product-imports',       'admin',       importRequest,       importResult, { isLarge: true }),
  listStockMovements: call('GET', '/part/:partId/stock-movements', 'admin', movementQuery, pageOf(stockMovement)),
  listDeliveries:  call('GET',    '/part/:partId/deliveries',  'admin',  nothing,           z.array(expectedDelivery)),
  addDelivery:     call('POST',   '/part/:partId/deliveries',  'admin',  deliveryForm,      inserted, { status: 201 }),
  receiveDelivery: call('POST',   '/deliveries/:id/arrival',   'admin',  restockForm,       inStock),
  removeDelivery:  call('DELETE', '/deliveries/:id',           'admin',  nothing,           deleted),
  readStockAlert:    call('GET',    '/part/:partId/stock-alert', 'member', nothing,         stockAlert),
  requestStockAlert: call('PUT',    '/part/:partId/stock-alert', 'member', nothing,         modified, { perHour: 60, counts: 'all' }),
  removeStockAlert:  call('DELETE', '/part/:partId/stock-alert', 'member', nothing,         deleted),
  deleteProduct: call('DELETE', '/products/:id',          'admin',       nothing,             deleted),
  listPartSuggestions: call('GET', '/part-suggestions',   'admin',       nothing,             partSuggestions),
  createUpload:  call('POST',   '/upload-key',            'admin',       nothing,             uploadUrl),
  uploadPicture: call('POST',   '/images/upload',         'key',         picture,             uploaded),

  lookUpParts:     call('POST',   '/part-lookup',           'anyone',      partLookup,           z.array(partSummary)),
  readBasket:      call('GET',    '/basket',                'member',      nothing,             basket),
  addToBasket:     call('POST',   '/basket',                'member',      basketAddition,      basket,   { perHour: 1_200, counts: 'all' }),
  updateBasket:    call('PUT',    '/basket',                'member',      basketChange,        basket,   { perHour: 1_200, counts: 'all' }),
  removeFromBasket: call('DELETE', '/basket/:partId',       'member',      nothing,             basket),
  listSavedLists:  call('GET',    '/lists',                 'member',      nothing,             z.array(savedListSummary)),
  readSavedList:   call('GET',    '/lists/:listId',         'member',      nothing,             savedList),
  saveList:        call('POST',   '/lists',                 'member',      savedListForm,       inserted, { status: 201, perHour: 60, usersPerNetwork: 3, counts: 'all' }),
  deleteSavedList: call('DELETE', '/lists/:listId',         'member',      nothing,             deleted),

  placeOrder:      call('POST',   '/orders',                'member',      orderRequest,        order,    { status: 201, perHour: 60, counts: 'all' }),
  listOrders:      call('GET',    '/orders',                'admin',       orderListQuery,      pageOf(order)),
  listMyOrders:    call('GET',    '/myOrders',              'self',        myOrders,            pageOf(order)),
  readOrder:       call('GET',    '/orders/:id',            'owner',       nothing,             order),
  readOrderTimeline: call('GET',  '/orders/:id/events',     'owner',       nothing,             z.array(orderEvent)),
  listShipments:   call('GET',    '/orders/:id/shipments',  'owner',       nothing,             z.array(shipment)),
  shipOrder:       call('POST',   '/orders/:id/shipments',  'admin',       shipmentRequest,     shipment, { status: 201 }),
  shipItems:       call('POST',   '/shipments',             'admin',       shipItemsRequest,    shipItemsResult),
  updateTracking:  call('PATCH',  '/shipments/:id',         'admin',       tracking,            shipment),
  removeShipment:  call('DELETE', '/shipments/:id',         'admin',       nothing,             deleted),
  placePurchase:   call('POST',   '/purchase',              'member',      purchaseRequest,     purchase, { status: 201, perHour: 120 }),
  listPurchases:   call('GET',    '/purchase',              'admin',       purchaseListQuery,   pageOf(purchase)),
  countPurchases:  call('GET',    '/order-counts',          'admin',       search,              purchaseCounts),
  listMyPurchases: call('GET',    '/myPurchase',            'self',        mine,                pageOf(purchase)),
  readPurchase:    call('GET',    '/purchase/:id',          'owner',       nothing,             purchase),
  readTimeline:    call('GET',    '/purchase/:id/events',   'owner',       nothing,             z.array(orderEvent)),
  startPayment:    call('POST',   '/create-payment-intent', 'member',      paymentRequest,      intent,   { perHour: 120 }),
  payPurchase:     call('PATCH',  '/purchase/:id',          'owner only',  paymentConfirmation, purchase, { perHour: 240, counts: 'all' }),
  cancelPurchase:  call('DELETE', '/purchase/:id',          'owner',       nothing,             deleted),
  shipPurchase:    call('PATCH',  '/shipped/:id',           'admin',       shipped,             modified),
  refundPurchase:  call('POST',   '/purchase/:id/refunds',  'admin',       refundRequest,       purchase, { status: 201 }),
  listDocuments:       call('GET',   '/orders/:id/documents',               'owner', nothing, z.array(orderDocument)),
  downloadDocument:    call('GET',   '/orders/:id/documents/:document/pdf', 'owner', nothing, pdfFile, { perHour: 120, counts: 'all' }),
  readPackingSlip:     call('GET',   '/orders/:id/packing-slip',            'admin', nothing, packingSlip),
  downloadPackingSlip: call('GET',   '/orders/:id/packing-slip/pdf',        'admin', nothing, pdfFile, { perHour: 600, counts: 'all' }),
  readPackingSlips:     call('GET', '/packing-slips',     'admin', packingSlipsQuery, z.array(packingSlip)),
  downloadPackingSlips: call('GET', '/packing-slips/pdf', 'admin', packingSlipsQuery, pdfFile, { perHour: 600, counts: 'all' }),
  listPaymentTasks:    call('GET',   '/payment-tasks',         'admin', nothing, z.array(paymentTask)),
  checkPayments:       call('GET',   '/payment-health',        'admin', nothing, paymentHealth),
  completePaymentTask: call('PATCH', '/payment-tasks/:id',     'admin', nothing, modified),

  listReviews:   call('GET',    '/reviews',               'anyone',      publicPaging,        pageOf(review)),
  addReview:     call('POST',   '/reviews',               'member',      reviewForm,          inserted, { status: 201, perHour: 10, usersPerNetwork: 3 }),
  listPartReviews:      call('GET', '/part/:partId/reviews',       'anyone', publicPaging, pageOf(review)),
  readPartReviewStatus: call('GET', '/part/:partId/review-status', 'member', nothing,      partReviewStatus),
  listAllReviews: call('GET',   '/review-moderation',     'admin',       reviewQuery,         pageOf(moderatedReview)),
  hideReview:    call('PUT',    '/reviews/:id/hidden',    'admin',       hideForm,            modified),
  showReview:    call('DELETE', '/reviews/:id/hidden',    'admin',       nothing,             modified),
  answerReview:  call('PUT',    '/reviews/:id/answer',    'admin',       answerForm,          modified),
  updateReviewEmails: call('PUT', '/review-emails',       'anyone',      reviewEmailChoice,   modified, { perHour: 60, counts: 'all' }),
  readProfile:   call('GET',    '/profiles/:email',       'self',        nothing,             profile),
  updateProfile: call('PUT',    '/profiles/:email',       'self only',   profileForm,         modified, { perHour: 120, counts: 'all' }),

  listAddresses:     call('GET',    '/addresses/:email',             'self only', nothing,     z.array(savedAddress)),
  addAddress:        call('POST',   '/addresses/:email',             'self only', addressForm, inserted, { status: 201, perHour: 60 }),
  updateAddress:     call('PUT',    '/addresses/:email/:id',         'self only', addressForm, modified),
  deleteAddress:     call('DELETE', '/addresses/:email/:id',         'self only', nothing,     deleted),
  setDefaultAddress: call('PUT',    '/addresses/:email/:id/default', 'self only', nothing,     modified),

  sendMessage:   call('POST',   '/messages',              'anyone',      messageForm,         inserted, { status: 201, perHour: 10 }),
  listMessages:  call('GET',    '/messages',              'admin',       messageQuery,        pageOf(message)),
  markMessage:   call('PATCH',  '/messages/:id',          'admin',       messageAnswered,     modified),
  listAuditLog:  call('GET',    '/audit-log',             'admin',       auditQuery,          pageOf(auditEntry)),
  readMessage:   call('GET',    '/messages/:id',          'admin',       nothing,             conversation),
  replyToMessage: call('POST',  '/messages/:id/replies',  'admin',       replyForm,           inserted, { status: 201, perHour: 120 }),
  assignMessage: call('PUT',    '/messages/:id/assignee', 'admin',       assignment,          modified),
  listViews:     call('GET',    '/views',                 'admin',       viewQuery,           z.array(savedView)),
  saveView:      call('POST',   '/views',                 'admin',       viewForm,            inserted, { status: 201, perHour: 120 }),
  deleteView:    call('DELETE', '/views/:id',             'admin',       nothing,             deleted),
  readOverview:  call('GET',    '/overview',              'admin',       overviewQuery,       overview),
  readWorklist:  call('GET',    '/worklist',              'admin',       nothing,             worklist),

  exportOrders:   call('GET',   '/exports/orders',        'admin',       ordersExport,        csvFile),
  exportProducts: call('GET',   '/exports/products',      'admin',       productsExport,      csvFile),
  exportMessages: call('GET',   '/exports/messages',      'admin',       messagesExport,      csvFile),
  exportAuditLog: call('GET',   '/exports/audit-log',     'admin',       auditExport,         csvFile),
  exportPayments: call('GET',   '/exports/payments',      'admin',       paymentPeriod,       csvFile),
  readPaymentTotals: call('GET', '/payment-totals',       'admin',       paymentPeriod,       paymentTotals),
  exportUsers:    call('GET',   '/exports/users',         'admin',       usersExport,         csvFile),

  reportVitals:  call('POST',   '/vitals',                'anyone',      vitals,              counted),
}
