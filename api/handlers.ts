import * as addresses from '#shop/addresses/addresses.server.ts'
import * as audit from '#shop/audit/audit.server.ts'
import * as baskets from '#shop/basket/basket.server.ts'
import * as savedLists from '#shop/basket/saved-lists.server.ts'
import { addCertificate } from '#shop/charges/add-certificate.server.ts'
import { readCertificate } from '#shop/charges/certificates.server.ts'
import { decideTaxStatus } from '#shop/charges/decide-tax-status.server.ts'
import { estimateCharges } from '#shop/charges/estimate.server.ts'
import { readTaxStatus, updateTaxStatus } from '#shop/charges/tax-status.server.ts'
import * as customers from '#shop/customers/customers.server.ts'
import * as links from '#shop/customers/links.server.ts'
import * as notes from '#shop/customers/notes.server.ts'
import * as tags from '#shop/customers/tags.server.ts'
import * as documents from '#shop/documents/documents.server.ts'
import * as csv from '#shop/exports/exports.server.ts'
import * as paymentExports from '#shop/exports/payments.server.ts'
import * as conversations from '#shop/messages/conversations.server.ts'
import * as messages from '#shop/messages/messages.server.ts'
import * as myMessages from '#shop/messages/my-messages.server.ts'
import * as orderMessages from '#shop/messages/order-messages.server.ts'
import * as cancellations from '#shop/orders/change/cancel-items.server.ts'
import { decideCancellation } from '#shop/orders/change/decide-cancellation.server.ts'
import { changeDelivery } from '#shop/orders/change/delivery.server.ts'
import * as cancel from '#shop/orders/close/cancel.server.ts'
import { readOrderLimit } from '#shop/orders/place/hold-limits.server.ts'
import * as placing from '#shop/orders/place/place.server.ts'
import { listOrders } from '#shop/orders/read/all-orders.server.ts'
import { countPurchases } from '#shop/orders/read/counts.server.ts'
import * as orderLists from '#shop/orders/read/lists.server.ts'
import * as orders from '#shop/orders/read/orders.server.ts'
import * as timeline from '#shop/orders/read/timeline.server.ts'
import * as afterShipping from '#shop/orders/ship/after-shipping.server.ts'
import { shipOrders } from '#shop/orders/ship/ship-orders.server.ts'
import * as shipments from '#shop/orders/ship/shipments.server.ts'
import * as overview from '#shop/overview/overview.server.ts'
import { exportPartData } from '#shop/part-data/export-data.server.ts'
import * as partData from '#shop/part-data/import-data.server.ts'
import * as partEdits from '#shop/parts/edit.server.ts'
import * as imports from '#shop/parts/import/import.server.ts'
import * as parts from '#shop/parts/parts.server.ts'
import * as prices from '#shop/parts/prices.server.ts'
import * as restock from '#shop/parts/restock.server.ts'
import { suggestParts } from '#shop/parts/suggestions.server.ts'
import { previewSynonym } from '#shop/parts/synonym-preview.server.ts'
import * as payments from '#shop/payments/payments.server.ts'
import * as refunds from '#shop/payments/refunds.server.ts'
import * as tasks from '#shop/payments/tasks.server.ts'
import * as pictures from '#shop/pictures/pictures.server.ts'
import type { Shop } from '#shop/ports.ts'
import * as profiles from '#shop/profiles/profiles.server.ts'
import { acceptQuote, readSentQuote } from '#shop/quotes/accept.server.ts'
import * as quotes from '#shop/quotes/quotes.server.ts'
import * as replacing from '#shop/replacements/replace.server.ts'
import * as moderation from '#shop/reviews/moderation.server.ts'
import { updateReviewEmails } from '#shop/reviews/review-emails.server.ts'
import * as reviews from '#shop/reviews/reviews.server.ts'
import { listEmptySearches } from '#shop/search/empty-searches.server.ts'
import * as synonyms from '#shop/search/synonyms.server.ts'
import { previewEmail } from '#shop/settings/mail-preview.server.ts'
import * as settings from '#shop/settings/settings.server.ts'
import * as attributes from '#shop/specifications/attributes.server.ts'
import * as specifications from '#shop/specifications/specifications.server.ts'
import * as alerts from '#shop/stock/alerts.server.ts'
import * as deliveries from '#shop/stock/deliveries.server.ts'
import { listStockMovements } from '#shop/stock/movements.server.ts'
import * as confirmation from '#shop/users/confirmation.server.ts'
import * as invitations from '#shop/users/invitations.server.ts'
import * as users from '#shop/users/users.server.ts'
import * as views from '#shop/views/views.server.ts'
import * as vitals from '#shop/vitals/vitals.server.ts'
import * as worklist from '#shop/worklist/worklist.server.ts'
import type { api } from './contract.ts'
import { fitHandlers } from './fit-handlers.ts'
import { partFileHandlers } from './part-file-handlers.ts'
import type { Handlers } from './server.ts'

type Some = Partial<Handlers<typeof api>>

export const handlers = (shop: Shop): Handlers<typeof api> => ({
  ...accountHandlers(shop),
  ...partHandlers(shop),
  ...fitHandlers(shop),
  ...partFileHandlers(shop),
  ...orderHandlers(shop),
  ...contentHandlers(shop),
})

// biome-ignore format: a table
const accountHandlers = (shop: Shop) => ({
  signIn:        ({ person, params, network }) => users.signIn(shop, person, params.email, network),
  signOut:       ({ user }) => users.signOut(shop, user),
  requestEmailConfirmation: ({ user, network }) => confirmation.requestEmailConfirmation(shop, user, network),
  confirmEmail:  ({ user, body }) => confirmation.confirmEmail(shop, user, body.token),
  checkAdmin:    ({ params }) => users.checkAdmin(shop, params.email),
  listUsers:     ({ body }) => users.listUsers(shop, body),
  makeAdmin:     ({ user, params }) => users.makeAdmin(shop, user, params.email),
  removeAdmin:   ({ user, params }) => users.removeAdmin(shop, user, params.email),
  readInvitation: ({ body }) => invitations.readInvitation(shop, body.token),
  acceptInvitation: ({ user, body }) => invitations.acceptInvitation(shop, user, body.token),
  inviteAdmin:   ({ user, body }) => invitations.inviteAdmin(shop, user, body.email),
  listInvitations: () => invitations.listInvitations(shop),
  withdrawInvitation: ({ user, params }) => invitations.withdrawInvitation(shop, user, params.id),
  readCustomer:  ({ user, params }) => customers.readCustomer(shop, user, params.id),
  listCustomerTags: () => tags.listCustomerTags(shop),
  tagCustomer:   ({ user, params, body }) => tags.tagCustomer(shop, user, params.id, body.tag),
  untagCustomer: ({ user, params, body }) => tags.untagCustomer(shop, user, params.id, body.tag),
  linkCustomers: ({ user, params, body }) => links.linkCustomers(shop, user, params.id, body.other),
  unlinkCustomers: ({ user, params, body }) => links.unlinkCustomers(shop, user, params.id, body.other),
  readTaxStatus: ({ params }) => readTaxStatus(shop, params.email),
  addCertificate: ({ user, body }) => addCertificate(shop, user, body),
  downloadCertificate: ({ params, body }) => readCertificate(shop, params.email, body),
  updateTaxStatus: ({ user, body }) => updateTaxStatus(shop, user, body),
  decideTaxStatus: ({ user, params, body }) => decideTaxStatus(shop, user, params.id, body),
  addCustomerNote: ({ user, params, body, key }) => notes.addCustomerNote(shop, user, params.id, body, key),
  updateCustomerNote: ({ user, params, body }) => notes.updateCustomerNote(shop, user, params.id, body),
  deleteCustomerNote: ({ user, params }) => notes.deleteCustomerNote(shop, user, params.id),
}) satisfies Some

// biome-ignore format: a table
const partHandlers = (shop: Shop) => ({
  listParts:     ({ body }) => parts.listParts(shop, body),
  readPart:      ({ params }) => parts.readPart(shop, params.partId),
  readSpecifications: ({ params }) => specifications.readSpecifications(shop, params.partId),
  addPart:       ({ user, body, key }) => partEdits.addPart(shop, user, body, key),
  updatePart:    ({ user, params, body, key }) => partEdits.updatePart(shop, user, params.partId, body, key),
  suggestParts:  ({ body }) => suggestParts(shop, body),
  listProducts:  ({ body }) => parts.listParts(shop, body),
  readProduct:   ({ params }) => parts.readPart(shop, params.id),
  restockPart:   ({ user, params, body, key }) => restock.restockPart(shop, user, params.partId, body, key),
  restockParts:  ({ user, body, key }) => restock.restockParts(shop, user, body, key),
  previewPrices: ({ body }) => prices.previewPrices(shop, body),
  changePrices:  ({ user, body, key }) => prices.changePrices(shop, user, body, key),
  previewImport: ({ body }) => imports.previewImport(shop, body),
  importProducts: ({ user, body, key }) => imports.importProducts(shop, user, body, key),
  listAttributes: ({ body }) => attributes.listAttributes(shop, body),
  readAttribute: ({ params }) => attributes.readAttribute(shop, params.id),
  addAttribute:  ({ user, body, key }) => attributes.addAttribute(shop, user, body, key),
  updateAttribute: ({ user, params, body }) => attributes.updateAttribute(shop, user, params.id, body),
  moveAttribute: ({ user, params, body }) => attributes.moveAttribute(shop, user, params.id, body.direction),
  deleteAttribute: ({ user, params }) => attributes.deleteAttribute(shop, user, params.id),
  updateSpecifications: ({ user, params, body }) => specifications.updateSpecifications(shop, user, params.partId, body),
  previewPartData: ({ body }) => partData.previewPartData(shop, body),
  importPartData: ({ user, body, key }) => partData.importPartData(shop, user, body, key),
  listStockMovements: ({ params, body }) => listStockMovements(shop, params.partId, body),
  listDeliveries:  ({ params }) => deliveries.listDeliveries(shop, params.partId),
  addDelivery:     ({ user, params, body, key }) => deliveries.addDelivery(shop, user, params.partId, body, key),
  receiveDelivery: ({ user, params, body, key }) => deliveries.receiveDelivery(shop, user, params.id, body, key),
  removeDelivery:  ({ user, params }) => deliveries.removeDelivery(shop, user, params.id),
  readStockAlert:    ({ user, params }) => alerts.readStockAlert(shop, user, params.partId),
  requestStockAlert: ({ user, params }) => alerts.requestStockAlert(shop, user, params.partId),
  removeStockAlert:  ({ user, params }) => alerts.removeStockAlert(shop, user, params.partId),
  deleteProduct: ({ user, params }) => partEdits.deleteProduct(shop, user, params.id),
  listReplacements: ({ body }) => replacing.listReplacements(shop, body),
  replacePart:   ({ user, params, body }) => replacing.replacePart(shop, user, params.partId, body),
  removeReplacement: ({ user, params }) => replacing.removeReplacement(shop, user, params.partId),
  listPartSuggestions: () => parts.listPartSuggestions(shop),
  createUpload:  ({ user }) => pictures.createUpload(shop, user),
  uploadPicture: ({ body, key }) => pictures.uploadPicture(shop, body.image, key),
}) satisfies Some

// biome-ignore format: a table
const orderHandlers = (shop: Shop) => ({
  lookUpParts:   ({ body }) => parts.lookUpParts(shop, body),
  readOrderLimit: ({ user }) => readOrderLimit(shop, user),
  readBasket:    ({ user }) => baskets.readBasket(shop, user),
  addToBasket:   ({ user, body, key }) => baskets.addToBasket(shop, user, body, key),
  updateBasket:  ({ user, body }) => baskets.updateBasket(shop, user, body),
  removeFromBasket: ({ user, params }) => baskets.removeFromBasket(shop, user, params.partId),
  listSavedLists: ({ user }) => savedLists.listSavedLists(shop, user),
  readSavedList: ({ user, params }) => savedLists.readSavedList(shop, user, params.listId),
  saveList:      ({ user, body, key }) => savedLists.saveList(shop, user, body, key),
  deleteSavedList: ({ user, params }) => savedLists.deleteSavedList(shop, user, params.listId),

  estimateCharges: ({ user, body }) => estimateCharges(shop, user, body),
  placeOrder:    ({ user, body, ...context }) => placing.placeOrder(shop, user, body, context),
  listOrders:    ({ body }) => listOrders(shop, body),
  listMyOrders:  ({ body }) => orderLists.listMyOrders(shop, body.email, body),
  readOrder:     ({ user, params }) => orders.readOrder(shop, user, params.id),
  cancelOrder:   ({ user, params }) => cancel.cancelOrder(shop, user, params.id),
  changeDelivery: ({ user, params, body }) => changeDelivery(shop, user, params.id, body),
  readCancellations: ({ user, params }) => cancellations.readCancellations(shop, user, params.id),
  cancelItems: ({ user, params, body, key }) => cancellations.cancelItems(shop, user, params.id, body, key),
  decideCancellation: ({ user, params, body }) => decideCancellation(shop, user, params.id, body),
  readOrderTimeline: ({ user, params }) => timeline.readOrderTimeline(shop, user, params.id),
  listShipments: ({ user, params }) => shipments.listShipments(shop, user, params.id),
  shipOrder:     ({ user, params, body, key }) => shipments.shipOrder(shop, user, params.id, body, key),
  shipOrders:    ({ user, body, key }) => shipOrders(shop, user, body, key),
  saveTracking:  ({ user, body }) => afterShipping.saveTracking(shop, user, body),
  undoShipments: ({ user, body }) => afterShipping.undoShipments(shop, user, body),
  updateTracking: ({ user, params, body }) => shipments.updateTracking(shop, user, params.id, body),
  removeShipment: ({ user, params }) => shipments.removeShipment(shop, user, params.id),
  placePurchase:    ({ user, body, ...context }) => placing.placePurchase(shop, user, body, context),
  listPurchases:    ({ body }) => orderLists.listOrStreamPurchases(shop, body),
  countPurchases:   ({ body }) => countPurchases(shop, body),
  listMyPurchases:  ({ body }) => orderLists.listMyPurchases(shop, body.email, body),
  readPurchase:     ({ user, params }) => orders.readPurchase(shop, user, params.id),
  readTimeline:  ({ user, params }) => timeline.readTimeline(shop, user, params.id),
  startPayment:  ({ user, body }) => payments.startPayment(shop, user, body),
  payPurchase:      ({ params, body }) => payments.payPurchase(shop, params.id, body.transactionId),
  cancelPurchase:   ({ user, params }) => cancel.cancelPurchase(shop, user, params.id),
  shipPurchase:     ({ user, params, body }) => shipments.shipPurchase(shop, user, params.id, body?.shipping),
  refundPurchase:   ({ user, params, body, key }) => refunds.refundPurchase(shop, user, params.id, body, key),
  refundOrder:      ({ user, params, body, key }) => refunds.refundOrder(shop, user, params.id, body, key),
  listDocuments:       ({ user, params }) => documents.listDocuments(shop, user, params.id),
  downloadDocument:    ({ user, params }) => documents.downloadDocument(shop, user, params.id, params.document),
  readPackingSlip:     ({ user, params }) => documents.readPackingSlip(shop, user, params.id),
  downloadPackingSlip: ({ user, params }) => documents.downloadPackingSlip(shop, user, params.id),
  readPackingSlips:     ({ user, body }) => documents.readPackingSlips(shop, user, body),
  downloadPackingSlips: ({ user, body }) => documents.downloadPackingSlips(shop, user, body),
  listQuotes:    ({ body }) => quotes.listQuotes(shop, body),
  readQuote:     ({ params }) => quotes.readQuote(shop, params.id),
  addQuote:      ({ user, body, key }) => quotes.addQuote(shop, user, body, key),
  updateQuote:   ({ user, params, body }) => quotes.updateQuote(shop, user, params.id, body),
  sendQuote:     ({ user, params }) => quotes.sendQuote(shop, user, params.id),
  withdrawQuote: ({ user, params }) => quotes.withdrawQuote(shop, user, params.id),
  readSentQuote:     ({ params }) => readSentQuote(shop, params.token),
  acceptQuote:   ({ user, params, body, network }) => acceptQuote(shop, user, params.token, body, network),
  listPaymentTasks:    () => tasks.listPaymentTasks(shop),
  checkPayments:       async () => ({ keyProblem: shop.payments.keyProblem() }),
  completePaymentTask: ({ user, params, body }) => tasks.completePaymentTask(shop, user, params.id, body),
}) satisfies Some

// biome-ignore format: a table
const contentHandlers = (shop: Shop) => ({
  listReviews:   ({ body }) => reviews.listReviews(shop, body),
  addReview:     ({ user, body, key }) => reviews.addReview(shop, user, body, key),
  listPartReviews:      ({ params, body }) => reviews.listPartReviews(shop, params.partId, body),
  readPartReviewStatus: ({ user, params }) => reviews.readPartReviewStatus(shop, user, params.partId),
  listReviewableParts:  ({ user }) => reviews.listReviewableParts(shop, user),
  listAllReviews: ({ body }) => moderation.listAllReviews(shop, body),
  hideReview:    ({ user, params, body }) => moderation.hideReview(shop, user, params.id, body.reason),
  showReview:    ({ user, params }) => moderation.showReview(shop, user, params.id),
  answerReview:  ({ user, params, body }) => moderation.answerReview(shop, user, params.id, body),
  updateReviewEmails: ({ body }) => updateReviewEmails(shop, body),
  readProfile:   ({ params }) => profiles.readProfile(shop, params.email),
  updateProfile: ({ user, body, network }) => profiles.updateProfile(shop, user, body, { network }),

  listAddresses:     ({ user }) => addresses.listAddresses(shop, user),
  addAddress:        ({ user, body, key }) => addresses.addAddress(shop, user, body, key),
  updateAddress:     ({ user, params, body }) => addresses.updateAddress(shop, user, params.id, body),
  deleteAddress:     ({ user, params }) => addresses.deleteAddress(shop, user, params.id),
  setDefaultAddress: ({ user, params }) => addresses.setDefaultAddress(shop, user, params.id),

  sendMessage:   ({ body, key }) => messages.sendMessage(shop, body, key),
  askAboutOrder: ({ user, params, body, key }) => myMessages.askAboutOrder(shop, user, params.id, body, key),
  listMyMessages: ({ user, body }) => myMessages.listMyMessages(shop, user, body),
  readMyMessage: ({ user, params }) => myMessages.readMyMessage(shop, user, params.id),
  markMyMessage: ({ user, params, body }) => myMessages.markMyMessage(shop, user, params.id, body.replies),
  replyToMyMessage: ({ user, params, body, key }) => myMessages.replyToMyMessage(shop, user, params.id, body, key),
  listMessages:  ({ body }) => messages.listMessages(shop, body),
  markMessage:   ({ user, params, body }) => conversations.markMessage(shop, user, params.id, body.answered),
  listAuditLog:  ({ body }) => audit.listAuditLog(shop, body),
  readMessage:   ({ params }) => conversations.readMessage(shop, params.id),
  replyToMessage: ({ user, params, body, key }) => conversations.replyToMessage(shop, user, params.id, body, key),
  writeAboutOrder: ({ user, params, body, key }) => orderMessages.writeAboutOrder(shop, user, params.id, body, key),
  assignMessage: ({ user, params, body }) => conversations.assignMessage(shop, user, params.id, body.assignee),
  listSynonyms:  ({ body }) => synonyms.listSynonyms(shop, body),
  addSynonym:    ({ user, body }) => synonyms.addSynonym(shop, user, body),
  updateSynonym: ({ user, params, body }) => synonyms.updateSynonym(shop, user, params.id, body),
  deleteSynonym: ({ user, params }) => synonyms.deleteSynonym(shop, user, params.id),
  previewSynonym: ({ body }) => previewSynonym(shop, body),
  listEmptySearches: ({ body }) => listEmptySearches(shop, body),
  listViews:     ({ user, body }) => views.listViews(shop, user, body.list),
  saveView:      ({ user, body }) => views.saveView(shop, user, body),
  deleteView:    ({ user, params }) => views.deleteView(shop, user, params.id),
  readOverview:  ({ body }) => overview.readOverview(shop, body),
  readWorklist:  () => worklist.readWorklist(shop),
  readSettings:  () => settings.readStoredSettings(shop),
  previewEmail:  ({ body }) => previewEmail(shop, body),
  updateSettings: ({ user, body }) => settings.updateSettings(shop, user, body),

  exportOrders: ({ user, body }) => csv.exportOrders(shop, user, body),
  exportSelectedOrders: ({ user, body }) => csv.exportSelectedOrders(shop, user, body),
  exportPartData: ({ user, body }) => exportPartData(shop, user, body),
  exportSelectedProducts: ({ user, body }) => csv.exportSelectedProducts(shop, user, body),
  exportProducts: ({ user, body }) => csv.exportProducts(shop, user, body),
  exportMessages: ({ user, body }) => csv.exportMessages(shop, user, body),
  exportAuditLog: ({ user, body }) => csv.exportAuditLog(shop, user, body),
  exportPayments: ({ user, body }) => paymentExports.exportPayments(shop, user, body),
  readPaymentTotals: ({ body }) => paymentExports.readPaymentTotals(shop, body),
  exportUsers: ({ user, body }) => csv.exportUsers(shop, user, body),

  reportVitals:  ({ body }) => vitals.reportVitals(shop, body),
}) satisfies Some
