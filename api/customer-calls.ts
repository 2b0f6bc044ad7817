import { z } from 'zod'
import { addressForm, savedAddress } from '#shop/addresses/address.ts'
import { basket, basketAddition, basketChange } from '#shop/basket/basket.ts'
import { savedList, savedListForm, savedListSummary } from '#shop/basket/saved-list.ts'
import { certificateFile, certificateQuery, certificateUpload } from '#shop/charges/certificate.ts'
import { estimate, estimateRequest } from '#shop/charges/estimate.ts'
import { myTaxStatus, taxStatusChange } from '#shop/charges/tax-status.ts'
import { orderDocument, pdfFile } from '#shop/documents/document.ts'
import { publicPaging } from '#shop/fields.ts'
import { build, buildCheck, buildForm, buildSummary, buildWarnings } from '#shop/fit/build.ts'
import { fitQuery, fitResult, partInterface } from '#shop/fit/fit.ts'
import { myConversation, myMessageList, myReplyForm, seenReplies } from '#shop/messages/conversation.ts'
import { messageForm, myMessageQuery, orderQuestion } from '#shop/messages/message.ts'
import { cancellationForm, cancellationResult, cancellations } from '#shop/orders/change/cancellation.ts'
import { deliveryChange } from '#shop/orders/change/delivery-change.ts'
import { order, orderListQuery, orderRequest } from '#shop/orders/order.ts'
import { orderLimit } from '#shop/orders/order-limit.ts'
import {
  myPurchase,
  orderEvent,
  paymentConfirmation,
  paymentRequest,
  purchase,
  purchaseQuery,
  purchaseRequest,
} from '#shop/orders/purchase.ts'
import { shipment } from '#shop/orders/ship/shipment.ts'
import { partDocument } from '#shop/part-documents/part-document.ts'
import { lookedUpPart, part, partDetails, partLookup, partQuery } from '#shop/parts/part.ts'
import { profile, profileForm } from '#shop/profiles/profile.ts'
import { quoteAcceptance, sentQuote } from '#shop/quotes/quote.ts'
import {
  partReviewStatus,
  review,
  reviewablePart,
  reviewEmailChoice,
  reviewForm,
} from '#shop/reviews/review.ts'
import { suggestionQuery, suggestions } from '#shop/search/suggestions.ts'
import { sheet, sheetQuery } from '#shop/sheets/sheet.ts'
import { specification } from '#shop/specifications/specification.ts'
import { stockAlert } from '#shop/stock/delivery.ts'
import { acceptance, invitee } from '#shop/users/invitation.ts'
import { confirmationToken } from '#shop/users/user.ts'
import { vitals } from '#shop/vitals/vitals.ts'
import { call, toPageSchema } from './call.ts'
import { deleted, inserted, modified, nothing } from './results.ts'

const email = z.object({ email: z.string('Email is required').max(254, 'Provide a valid email') })
const mine = purchaseQuery.extend({ ...email.shape, limit: publicPaging.shape.limit })
const myOrders = orderListQuery.extend(email.shape)
const picture = z.object({ image: z.instanceof(Blob, { error: 'Send exactly one file in the field image' }) })

const token = z.object({ token: z.string() })
const sent = z.object({ sentTo: z.string() })
const admin = z.object({ admin: z.boolean() })
/** `processing`: the card was accepted and the result is pending. */
const intent = z.object({ clientSecret: z.string(), processing: z.boolean() })
const uploaded = z.object({ success: z.boolean(), data: z.object({ url: z.string() }) })
const counted = z.object({ counted: z.int() })

// biome-ignore format: a table
export const customerCalls = {
  //                  method    path                      who may        request              response
  signIn:        call('PUT',    '/user/:email',           'identity',    email,               token,     { perHour: 600, counts: 'all' }),
  signOut:       call('DELETE', '/user/:email/token',     'self only',   nothing,             modified),
  requestEmailConfirmation: call('POST', '/user/:email/confirmation', 'self only', nothing,  sent, { perHour: 5 }),
  confirmEmail:  call('PUT',    '/user/:email/confirmation', 'self only', confirmationToken, modified),
  readInvitation: call('POST',  '/invitation',            'anyone',      confirmationToken,   invitee,   { perHour: 60, counts: 'all' }),
  acceptInvitation: call('PUT', '/user/:email/invitation', 'self only',  confirmationToken,   acceptance, { perHour: 60, counts: 'all' }),
  checkAdmin:    call('GET',    '/admin/:email',          'self',        nothing,             admin),

  listParts:     call('GET',    '/part',                  'anyone',      partQuery,           toPageSchema(part)),
  readPart:      call('GET',    '/part/:partId',          'anyone',      nothing,             partDetails),
  readSpecifications: call('GET', '/part/:partId/specifications', 'anyone', nothing,         z.array(specification)),
  readSheet:     call('GET',    '/part/:partId/sheet',    'anyone',      sheetQuery,          sheet, { perHour: 1_200, counts: 'all' }),
  downloadSheet: call('GET',    '/part/:partId/sheets/:revision/pdf', 'anyone', nothing,    pdfFile, { perHour: 300, counts: 'all' }),
  listPartDocuments: call('GET', '/part/:partId/documents', 'anyone',    nothing,             z.array(partDocument)),
  downloadPartDocument: call('GET', '/part/:partId/documents/:id', 'anyone', nothing,       pdfFile, { perHour: 300, counts: 'all' }),
  listInterfaces: call('GET',   '/part/:partId/interfaces', 'anyone',    nothing,             z.array(partInterface)),
  readFit:       call('GET',    '/fit',                   'anyone',      fitQuery,            fitResult, { perHour: 6_000, counts: 'all', maxAge: 300 }),
  readStockAlert:    call('GET',    '/part/:partId/stock-alert', 'member', nothing,         stockAlert),
  requestStockAlert: call('PUT',    '/part/:partId/stock-alert', 'member', nothing,         modified, { perHour: 60, counts: 'all' }),
  removeStockAlert:  call('DELETE', '/part/:partId/stock-alert', 'member', nothing,         deleted),
  uploadPicture: call('POST',   '/images/upload',         'key',         picture,             uploaded),

  suggestParts:    call('GET',    '/search-suggestions',    'anyone',      suggestionQuery,      suggestions),
  lookUpParts:     call('POST',   '/part-lookup',           'anyone',      partLookup,           z.array(lookedUpPart)),
  readBasket:      call('GET',    '/basket',                'member',      nothing,             basket),
  addToBasket:     call('POST',   '/basket',                'member',      basketAddition,      basket,   { perHour: 1_200, counts: 'all', maxBytes: 1024 * 1024 }),
  updateBasket:    call('PUT',    '/basket',                'member',      basketChange,        basket,   { perHour: 1_200, counts: 'all', maxBytes: 1024 * 1024 }),
  removeFromBasket: call('DELETE', '/basket/:partId',       'member',      nothing,             basket),
  listSavedLists:  call('GET',    '/lists',                 'member',      nothing,             z.array(savedListSummary)),
  readSavedList:   call('GET',    '/lists/:listId',         'member',      nothing,             savedList),
  saveList:        call('POST',   '/lists',                 'member',      savedListForm,       inserted, { status: 201, perHour: 60, usersPerNetwork: 3, counts: 'all', maxBytes: 128 * 1024 }),
  deleteSavedList: call('DELETE', '/lists/:listId',         'member',      nothing,             deleted),

  listBuilds:      call('GET',    '/builds',                'member',      nothing,             z.array(buildSummary)),
  readBuild:       call('GET',    '/builds/:buildId',       'member',      nothing,             build),
  saveBuild:       call('POST',   '/builds',                'member',      buildForm,           inserted, { status: 201, perHour: 120, usersPerNetwork: 3 }),
  updateBuild:     call('PUT',    '/builds/:buildId',       'member',      buildForm,           modified),
  deleteBuild:     call('DELETE', '/builds/:buildId',       'member',      nothing,             deleted),
  checkBuild:      call('POST',   '/build-check',           'member',      buildCheck,          buildWarnings),

  readOrderLimit:  call('GET',    '/order-limit',           'member',      nothing,             orderLimit),
  estimateCharges: call('POST',   '/charges',               'member',      estimateRequest,     estimate, { maxBytes: 64 * 1024 }),
  placeOrder:      call('POST',   '/orders',                'member',      orderRequest,        order,    { status: 201, perHour: 60, counts: 'all', mayRecallCaller: true }),
  listMyOrders:    call('GET',    '/myOrders',              'self',        myOrders,            toPageSchema(order)),
  readOrder:       call('GET',    '/orders/:id',            'owner',       nothing,             order),
  cancelOrder:     call('DELETE', '/orders/:id',            'owner',       nothing,             deleted),
  changeDelivery:  call('PUT',    '/orders/:id/delivery',   'owner',       deliveryChange,      modified, { perHour: 60 }),
  readCancellations: call('GET',  '/orders/:id/cancellations', 'owner',     nothing,           cancellations),
  cancelItems:     call('POST',   '/orders/:id/cancellations', 'owner only', cancellationForm, cancellationResult, { perHour: 60 }),
  readOrderTimeline: call('GET',  '/orders/:id/events',     'owner',       nothing,             z.array(orderEvent)),
  listShipments:   call('GET',    '/orders/:id/shipments',  'owner',       nothing,             z.array(shipment)),
  placePurchase:   call('POST',   '/purchase',              'member',      purchaseRequest,     purchase, { status: 201, perHour: 120, mayRecallCaller: true }),
  listMyPurchases: call('GET',    '/myPurchase',            'self',        mine,                toPageSchema(myPurchase)),
  readPurchase:    call('GET',    '/purchase/:id',          'owner',       nothing,             purchase),
  readTimeline:    call('GET',    '/purchase/:id/events',   'owner',       nothing,             z.array(orderEvent)),
  startPayment:    call('POST',   '/create-payment-intent', 'member',      paymentRequest,      intent,   { perHour: 120 }),
  payPurchase:     call('PATCH',  '/purchase/:id',          'owner only',  paymentConfirmation, purchase, { perHour: 240, counts: 'all' }),
  cancelPurchase:  call('DELETE', '/purchase/:id',          'owner',       nothing,             deleted),
  listDocuments:       call('GET',   '/orders/:id/documents',               'owner', nothing, z.array(orderDocument)),
  downloadDocument:    call('GET',   '/orders/:id/documents/:document/pdf', 'owner', nothing, pdfFile, { perHour: 120, counts: 'all' }),

  readSentQuote: call('GET',    '/sent-quotes/:token',    'anyone',      nothing,             sentQuote, { perHour: 600, counts: 'all' }),
  acceptQuote:   call('POST',   '/sent-quotes/:token/order', 'member',        quoteAcceptance,     order,    { status: 201, perHour: 60, counts: 'all', mayRecallCaller: true }),

  listReviews:   call('GET',    '/reviews',               'anyone',      publicPaging,        toPageSchema(review)),
  addReview:     call('POST',   '/reviews',               'member',      reviewForm,          inserted, { status: 201, perHour: 10, usersPerNetwork: 3 }),
  listPartReviews:      call('GET', '/part/:partId/reviews',       'anyone', publicPaging, toPageSchema(review)),
  readPartReviewStatus: call('GET', '/part/:partId/review-status', 'member', nothing,      partReviewStatus),
  listReviewableParts:  call('GET', '/reviewable-parts',           'member', nothing,      z.array(reviewablePart)),
  updateReviewEmails: call('PUT', '/review-emails',       'anyone',      reviewEmailChoice,   modified, { perHour: 60, counts: 'all' }),
  readProfile:   call('GET',    '/profiles/:email',       'self',        nothing,             profile),
  updateProfile: call('PUT',    '/profiles/:email',       'self only',   profileForm,         modified, { perHour: 120, counts: 'all' }),

  readTaxStatus:   call('GET',    '/tax-status/:email',     'self',        nothing,             myTaxStatus),
  updateTaxStatus: call('PUT',    '/tax-status/:email',     'self only',   taxStatusChange,     myTaxStatus, { perHour: 30, counts: 'all' }),

  addCertificate:      call('PUT', '/tax-certificate', 'member', certificateUpload, myTaxStatus, { perHour: 20, counts: 'all', isLarge: true }),
  downloadCertificate: call('GET', '/tax-status/:email/certificate', 'self',      certificateQuery,  certificateFile, { perHour: 120, counts: 'all' }),

  listAddresses:     call('GET',    '/addresses/:email',             'self only', nothing,     z.array(savedAddress)),
  addAddress:        call('POST',   '/addresses/:email',             'self only', addressForm, inserted, { status: 201, perHour: 60 }),
  updateAddress:     call('PUT',    '/addresses/:email/:id',         'self only', addressForm, modified),
  deleteAddress:     call('DELETE', '/addresses/:email/:id',         'self only', nothing,     deleted),
  setDefaultAddress: call('PUT',    '/addresses/:email/:id/default', 'self only', nothing,     modified),

  sendMessage:   call('POST',   '/messages',              'anyone',      messageForm,         inserted, { status: 201, perHour: 10 }),
  askAboutOrder: call('POST',   '/orders/:id/messages',   'owner only',  orderQuestion,       inserted, { status: 201, perHour: 10 }),
  listMyMessages: call('GET',   '/my-messages',           'member',      myMessageQuery,      myMessageList),
  readMyMessage: call('GET',    '/my-messages/:id',       'member',      nothing,             myConversation),
  markMyMessage: call('PUT',    '/my-messages/:id/seen',  'member',      seenReplies,         modified),
  replyToMyMessage: call('POST', '/my-messages/:id/replies', 'member',   myReplyForm,         inserted, { status: 201, perHour: 10 }),

  reportVitals:  call('POST',   '/vitals',                'anyone',      vitals,              counted),
}
