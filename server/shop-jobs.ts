import { performance } from 'node:perf_hooks'
import { issueMissingInvoices } from '#shop/documents/issue-missing.server.ts'
import { expireOrders, remindOrders } from '#shop/orders/close/expiry.server.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { copySignInPhotos, replaceForeignPhotos } from '#shop/photos/photos.server.ts'
import { pictureSizes } from '#shop/pictures/picture-sizes.server.ts'
import type { Shop } from '#shop/ports.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { startReplacements } from '#shop/replacements/replace.server.ts'
import { askForReviews } from '#shop/reviews/requests.server.ts'
import { sendStockAlerts } from '#shop/stock/alerts.server.ts'
import { markOverdueDeliveries } from '#shop/stock/deliveries.server.ts'
import type { JobTable } from './jobs.ts'

/** The start and the first visitors need the processor. */
const quietSeconds = 60

/** Returns a function that tells whether this thread has worked for more than half of the time since. */
function watchLoad() {
  const start = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(start).utilization > 0.5
}

export function shopJobs(shop: Shop): JobTable {
  const makePictureSizes = pictureSizes(shop, watchLoad)
  return {
    expireOrders: ['minute', () => expireOrders(shop)],
    remindOrders: ['minute', () => remindOrders(shop)],
    sendShippingEmails: ['minute', () => sendShippingEmails(shop)],
    sendStockAlerts: ['minute', () => sendStockAlerts(shop)],
    askForReviews: ['hour', () => askForReviews(shop)],
    startReplacements: ['minute', () => startReplacements(shop)],
    markOverdueDeliveries: ['hour', () => markOverdueDeliveries(shop)],
    reconcile: ['minute', () => reconcile(shop)],
    makePictureSizes: [
      'minute',
      async () => {
        if (process.uptime() > quietSeconds) await makePictureSizes()
      },
    ],
    copySignInPhotos: ['minute', () => copySignInPhotos(shop)],
    replaceForeignPhotos: ['hour', () => replaceForeignPhotos(shop)],
    purgeExpired: ['hour', () => purgeExpired(shop)],
    issueMissingInvoices: ['hour', () => issueMissingInvoices(shop)],
  }
}
