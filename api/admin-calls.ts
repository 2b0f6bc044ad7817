import { z } from 'zod'
import { auditEntry, auditQuery } from '#shop/audit/audit.ts'
import { taxDecision } from '#shop/charges/tax-status.ts'
import { customer, linkForm, noteForm, tagForm } from '#shop/customers/customer.ts'
import { packingSlip, packingSlipsQuery, pdfFile } from '#shop/documents/document.ts'
import { drawing, drawingChange, drawingForm, listedDrawing } from '#shop/drawings/drawing.ts'
import {
  auditExport,
  exportFile,
  messagesExport,
  ordersExport,
  paymentsExport,
  productsExport,
  selected,
  usersExport,
} from '#shop/exports/export.ts'
import { paymentPeriod, paymentTotals } from '#shop/exports/period.ts'
import { interfaceForm, interfaceRemoval } from '#shop/fit/fit.ts'
import { assignment, conversation, replyForm } from '#shop/messages/conversation.ts'
import { message, messageAnswered, messageQuery, orderQuestion } from '#shop/messages/message.ts'
import { modelUpload, storedModel } from '#shop/models/model.ts'
import { cancellationDecision } from '#shop/orders/change/cancellation.ts'
import { allOrdersQuery, listedOrder, order } from '#shop/orders/order.ts'
import { orderRefundRequest } from '#shop/orders/order-refund.ts'
import {
  purchase,
  purchaseCounts,
  purchaseListQuery,
  purchaseQuery,
  refundRequest,
} from '#shop/orders/purchase.ts'
import {
  savedTracking,
  shipment,
  shipmentRequest,
  shipOrdersRequest,
  shipOrdersResult,
  trackingChange,
  trackingsRequest,
  undoneShipments,
  undoRequest,
} from '#shop/orders/ship/shipment.ts'
import { overview, overviewQuery } from '#shop/overview/overview.ts'
import { partDataPreview, partDataRequest, partDataResult } from '#shop/part-data/part-data.ts'
import { documentUpload, partDocument } from '#shop/part-documents/part-document.ts'
import { importFile, importPreview, importRequest, importResult } from '#shop/parts/import/import.ts'
import {
  partChange,
  partForm,
  partSuggestions,
  product,
  productQuery,
  restockForm,
  restocksForm,
} from '#shop/parts/part.ts'
import { priceChange, priceChangeRequest, pricePreview } from '#shop/parts/price-change.ts'
import { paymentHealth, paymentTask, taskResolution } from '#shop/payments/task.ts'
import { quote, quoteChange, quoteForm, quoteQuery } from '#shop/quotes/quote.ts'
import { replacement, replacementForm, replacementQuery } from '#shop/replacements/replacement.ts'
import { answerForm, hideForm, moderatedReview, reviewQuery } from '#shop/reviews/moderation.ts'
import {
  emptySearch,
  emptySearchQuery,
  synonym,
  synonymForm,
  synonymPreview,
  synonymPreviewRequest,
  synonymQuery,
} from '#shop/search/synonym.ts'
import { mailPreview, mailPreviewRequest, settingsChange, storedSettings } from '#shop/settings/settings.ts'
import {
  attributeForm,
  attributeMove,
  attributeQuery,
  listedAttribute,
  specificationsForm,
} from '#shop/specifications/attribute.ts'
import { arrivalForm, deliveryForm, expectedDelivery } from '#shop/stock/delivery.ts'
import { movementQuery, stockMovement } from '#shop/stock/stock-movement.ts'
import { invitation, invitationForm } from '#shop/users/invitation.ts'
import { listedUser, userQuery } from '#shop/users/user.ts'
import { savedView, viewForm, viewQuery } from '#shop/views/saved-view.ts'
import { worklist } from '#shop/worklist/worklist.ts'
import { call, toPageSchema } from './call.ts'
import { deleted, inserted, modified, nothing } from './results.ts'

const search = purchaseQuery.pick({ q: true })
const shipped = z.object({ shipping: z.boolean('shipping must be true or false').optional() }).optional()
const uploadUrl = z.object({ url: z.string() })
const inStock = z.object({ availableQuantity: z.int() })

/** What only admins may do: a table of its own, so that customers do not load it. */
// biome-ignore format: a table
export const adminCalls = {
  //                  method    path                      who may        request              response
  listUsers:     call('GET',    '/user',                  'admin',       userQuery,           toPageSchema(listedUser)),
  makeAdmin:     call('PUT',    '/user/admin/:email',     'admin',       nothing,             modified),
  removeAdmin:   call('DELETE', '/user/admin/:email',     'admin',       nothing,             modified),
  inviteAdmin:   call('POST',   '/admin-invitations',     'admin',       invitationForm,      inserted, { status: 201, perHour: 20 }),
  listInvitations: call('GET',  '/admin-invitations',     'admin',       nothing,             z.array(invitation)),
  withdrawInvitation: call('DELETE', '/admin-invitations/:id', 'admin',  nothing,             deleted),

  readCustomer:  call('GET',    '/customers/:id',         'admin',       nothing,             customer),
  listCustomerTags: call('GET', '/customer-tags',         'admin',       nothing,             z.array(z.string())),
  tagCustomer:   call('PUT',    '/customers/:id/tags',    'admin',       tagForm,             modified),
  untagCustomer: call('DELETE', '/customers/:id/tags',    'admin',       tagForm,             modified),
  linkCustomers: call('PUT',    '/customers/:id/links',   'admin',       linkForm,            modified),
  unlinkCustomers: call('DELETE', '/customers/:id/links', 'admin',       linkForm,            modified),
  decideTaxStatus: call('PUT',  '/customers/:id/tax-status', 'admin',    taxDecision,         modified),
  addCustomerNote: call('POST', '/customers/:id/notes',   'admin',       noteForm,            inserted, { status: 201 }),
  updateCustomerNote: call('PUT', '/customer-notes/:id',  'admin',       noteForm,            modified),
  deleteCustomerNote: call('DELETE', '/customer-notes/:id', 'admin',     nothing,             deleted),

  addPart:       call('POST',   '/part',                  'admin',       partForm,            inserted, { status: 201 }),
  updatePart:    call('PUT',    '/part/:partId',          'admin',       partChange,          modified),
  listProducts:  call('GET',    '/products',              'admin',       productQuery,        toPageSchema(product)),
  readProduct:   call('GET',    '/products/:id',          'admin',       nothing,             product),
  restockPart:   call('POST',   '/part/:partId/arrivals', 'admin',       restockForm,         inStock),
  restockParts:  call('POST',   '/part-arrivals',         'admin',       restocksForm,        modified),
  previewPrices: call('GET',    '/price-changes',         'admin',       priceChange,         pricePreview),
  changePrices:  call('POST',   '/price-changes',         'admin',       priceChangeRequest,  modified),
  previewImport: call('POST',   '/product-imports/preview', 'admin',     importFile,          importPreview, { isLarge: true }),
  importProducts: call('POST',  '/product-imports',       'admin',       importRequest,       importResult, { isLarge: true }),
  listStockMovements: call('GET', '/part/:partId/stock-movements', 'admin', movementQuery, toPageSchema(stockMovement)),
  listDeliveries:  call('GET',    '/part/:partId/deliveries',  'admin',  nothing,           z.array(expectedDelivery)),
  addDelivery:     call('POST',   '/part/:partId/deliveries',  'admin',  deliveryForm,      inserted, { status: 201 }),
  receiveDelivery: call('POST',   '/deliveries/:id/arrival',   'admin',  arrivalForm,       inStock),
  removeDelivery:  call('DELETE', '/deliveries/:id',           'admin',  nothing,           deleted),
  listAttributes: call('GET',   '/attributes',            'admin',       attributeQuery,      toPageSchema(listedAttribute)),
  readAttribute: call('GET',    '/attributes/:id',        'admin',       nothing,             listedAttribute),
  addAttribute:  call('POST',   '/attributes',            'admin',       attributeForm,       inserted, { status: 201 }),
  updateAttribute: call('PUT',  '/attributes/:id',        'admin',       attributeForm,       modified),
  moveAttribute: call('PUT',    '/attributes/:id/place',  'admin',       attributeMove,       modified),
  deleteAttribute: call('DELETE', '/attributes/:id',      'admin',       nothing,             deleted),
  updateSpecifications: call('PUT', '/part/:partId/specifications', 'admin', specificationsForm, modified),
  previewPartData: call('POST', '/part-data/preview',     'admin',       importFile,          partDataPreview, { isLarge: true }),
  importPartData: call('POST',  '/part-data',             'admin',       partDataRequest,     partDataResult, { isLarge: true }),
  saveInterface:   call('PUT',    '/part/:partId/interfaces',  'admin',  interfaceForm,     modified),
  removeInterface: call('DELETE', '/part/:partId/interfaces',  'admin',  interfaceRemoval,  deleted),
  deleteProduct: call('DELETE', '/products/:id',          'admin',       nothing,             deleted),
  listReplacements: call('GET', '/replacements',          'admin',       replacementQuery,    toPageSchema(replacement)),
  replacePart:   call('PUT',    '/part/:partId/replacement', 'admin',    replacementForm,     modified),
  removeReplacement: call('DELETE', '/part/:partId/replacement', 'admin', nothing,            deleted),
  listPartSuggestions: call('GET', '/part-suggestions',   'admin',       nothing,             partSuggestions),
  createUpload:  call('POST',   '/upload-key',            'admin',       nothing,             uploadUrl),

  uploadModel:   call('POST',   '/part-models',           'admin',       modelUpload,         storedModel, { isLarge: true, perHour: 120 }),
  readModel:     call('GET',    '/part/:partId/model',    'admin',       nothing,             storedModel),
  deleteModel:   call('DELETE', '/part/:partId/model',    'admin',       nothing,             deleted),
  addPartDocument: call('POST', '/part-documents',        'admin',       documentUpload,      partDocument, { isLarge: true, perHour: 120 }),
  deletePartDocument: call('DELETE', '/part/:partId/documents/:id', 'admin', nothing,       deleted),
  listDrawings:  call('GET',    '/drawings',              'admin',       nothing,             z.array(listedDrawing)),
  readDrawing:   call('GET',    '/drawings/:id',          'admin',       nothing,             drawing),
  addDrawing:    call('POST',   '/drawings',              'admin',       drawingForm,         inserted, { status: 201 }),
  updateDrawing: call('PUT',    '/drawings/:id',          'admin',       drawingChange,       modified),
  deleteDrawing: call('DELETE', '/drawings/:id',          'admin',       nothing,             deleted),

  listOrders:      call('GET',    '/orders',                'admin',       allOrdersQuery,      toPageSchema(listedOrder)),
  shipOrder:       call('POST',   '/orders/:id/shipments',  'admin',       shipmentRequest,     shipment, { status: 201 }),
  shipOrders:      call('POST',   '/shipments',             'admin',       shipOrdersRequest,   shipOrdersResult),
  saveTracking:    call('PATCH',  '/shipments',             'admin',       trackingsRequest,    savedTracking),
  undoShipments:   call('POST',   '/shipments/undo',        'admin',       undoRequest,         undoneShipments),
  updateTracking:  call('PATCH',  '/shipments/:id',         'admin',       trackingChange,      shipment),
  removeShipment:  call('DELETE', '/shipments/:id',         'admin',       nothing,             deleted),
  listPurchases:   call('GET',    '/purchase',              'admin',       purchaseListQuery,   toPageSchema(purchase)),
  countPurchases:  call('GET',    '/order-counts',          'admin',       search,              purchaseCounts),
  shipPurchase:    call('PATCH',  '/shipped/:id',           'admin',       shipped,             modified),
  refundPurchase:  call('POST',   '/purchase/:id/refunds',  'admin',       refundRequest,       purchase, { status: 201 }),
  refundOrder:     call('POST',   '/orders/:id/refunds',    'admin',       orderRefundRequest,  order,    { status: 201 }),
  readPackingSlip:     call('GET',   '/orders/:id/packing-slip',            'admin', nothing, packingSlip),
  downloadPackingSlip: call('GET',   '/orders/:id/packing-slip/pdf',        'admin', nothing, pdfFile, { perHour: 600, counts: 'all' }),
  readPackingSlips:     call('GET', '/packing-slips',     'admin', packingSlipsQuery, z.array(packingSlip)),
  downloadPackingSlips: call('GET', '/packing-slips/pdf', 'admin', packingSlipsQuery, pdfFile, { perHour: 600, counts: 'all' }),
  decideCancellation:  call('PUT',   '/cancellations/:id',    'admin', cancellationDecision, modified),
  listQuotes:    call('GET',    '/quotes',                'admin',       quoteQuery,          toPageSchema(quote)),
  readQuote:     call('GET',    '/quotes/:id',            'admin',       nothing,             quote),
  addQuote:      call('POST',   '/quotes',                'admin',       quoteForm,           inserted, { status: 201 }),
  updateQuote:   call('PUT',    '/quotes/:id',            'admin',       quoteChange,         modified),
  sendQuote:     call('POST',   '/quotes/:id/email',      'admin',       nothing,             modified, { perHour: 120 }),
  withdrawQuote: call('DELETE', '/quotes/:id',            'admin',       nothing,             modified),
  listPaymentTasks:    call('GET',   '/payment-tasks',         'admin', nothing, z.array(paymentTask)),
  checkPayments:       call('GET',   '/payment-health',        'admin', nothing, paymentHealth),
  completePaymentTask: call('PATCH', '/payment-tasks/:id',     'admin', taskResolution, modified),

  listMessages:  call('GET',    '/messages',              'admin',       messageQuery,        toPageSchema(message)),
  markMessage:   call('PATCH',  '/messages/:id',          'admin',       messageAnswered,     modified),
  listAuditLog:  call('GET',    '/audit-log',             'admin',       auditQuery,          toPageSchema(auditEntry)),
  readMessage:   call('GET',    '/messages/:id',          'admin',       nothing,             conversation),
  replyToMessage: call('POST',  '/messages/:id/replies',  'admin',       replyForm,           inserted, { status: 201, perHour: 120 }),
  writeAboutOrder: call('POST', '/orders/:id/customer-messages', 'admin', orderQuestion,     inserted, { status: 201, perHour: 120 }),
  assignMessage: call('PUT',    '/messages/:id/assignee', 'admin',       assignment,          modified),
  listAllReviews: call('GET',   '/review-moderation',     'admin',       reviewQuery,         toPageSchema(moderatedReview)),
  hideReview:    call('PUT',    '/reviews/:id/hidden',    'admin',       hideForm,            modified),
  showReview:    call('DELETE', '/reviews/:id/hidden',    'admin',       nothing,             modified),
  answerReview:  call('PUT',    '/reviews/:id/answer',    'admin',       answerForm,          modified),
  listSynonyms:  call('GET',    '/synonyms',              'admin',       synonymQuery,        toPageSchema(synonym)),
  addSynonym:    call('POST',   '/synonyms',              'admin',       synonymForm,         inserted, { status: 201 }),
  updateSynonym: call('PUT',    '/synonyms/:id',          'admin',       synonymForm,         modified),
  deleteSynonym: call('DELETE', '/synonyms/:id',          'admin',       nothing,             deleted),
  previewSynonym: call('POST',  '/synonyms/preview',      'admin',       synonymPreviewRequest, synonymPreview),
  listEmptySearches: call('GET', '/empty-searches',       'admin',       emptySearchQuery,    toPageSchema(emptySearch)),
  listViews:     call('GET',    '/views',                 'admin',       viewQuery,           z.array(savedView)),
  saveView:      call('POST',   '/views',                 'admin',       viewForm,            inserted, { status: 201, perHour: 120 }),
  deleteView:    call('DELETE', '/views/:id',             'admin',       nothing,             deleted),
  readOverview:  call('GET',    '/overview',              'admin',       overviewQuery,       overview),
  readWorklist:  call('GET',    '/worklist',              'admin',       nothing,             worklist),
  readSettings:  call('GET',    '/settings',              'admin',       nothing,             storedSettings),
  previewEmail:  call('POST',   '/settings/email-preview', 'admin',      mailPreviewRequest,  mailPreview),
  updateSettings: call('PUT',   '/settings',              'admin',       settingsChange,      z.object({ version: z.int() }), { maxBytes: 256 * 1024 }),

  exportOrders:   call('GET',   '/exports/orders',        'admin',       ordersExport,        exportFile),
  exportSelectedOrders: call('POST', '/exports/selected-orders', 'admin', selected,        exportFile),
  exportSelectedProducts: call('POST', '/exports/selected-products', 'admin', selected,    exportFile),
  exportProducts: call('GET',   '/exports/products',      'admin',       productsExport,      exportFile),
  exportPartData: call('GET',   '/exports/part-data',     'admin',       productsExport,      exportFile),
  exportMessages: call('GET',   '/exports/messages',      'admin',       messagesExport,      exportFile),
  exportAuditLog: call('GET',   '/exports/audit-log',     'admin',       auditExport,         exportFile),
  exportPayments: call('GET',   '/exports/payments',      'admin',       paymentsExport,      exportFile),
  readPaymentTotals: call('GET', '/payment-totals',       'admin',       paymentPeriod,       paymentTotals),
  exportUsers:    call('GET',   '/exports/users',         'admin',       usersExport,         exportFile),
}
