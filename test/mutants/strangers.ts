import type { Mutant } from './mutant.ts'

const strangers = 'api/strangers.test.ts'
const claims = 'shop/users/claim.server.test.ts'
const confirmations = 'shop/users/confirmation.server.test.ts'
const accounts = 'shop/users/strangers.server.test.ts'

export const strangerMutants: Mutant[] = [
  {
    name: 'a delivery address of another user is listed',
    file: 'shop/addresses/addresses.server.ts',
    from: '    .where(eq(deliveryAddresses.userId, user._id))\n',
    to: '',
    test: [strangers, 'a delivery address is listed, changed and deleted for its user alone'],
  },
  {
    name: 'a delivery address of another user can be changed',
    file: 'shop/addresses/addresses.server.ts',
    from: '    .where(eq(deliveryAddresses.userId, _id))\n',
    to: '',
    test: [strangers, 'a delivery address is listed, changed and deleted for its user alone'],
  },
  {
    name: 'a password reset keeps the delivery addresses that a stranger saved',
    file: 'shop/users/claim.server.ts',
    from: '[deliveryAddresses, basketItems, savedLists]',
    to: '[basketItems, savedLists]',
    test: [claims, 'a password reset of an unconfirmed account removes what a stranger left in it'],
  },
  {
    name: 'a password reset keeps the profile that a stranger saved',
    file: 'shop/users/claim.server.ts',
    from: '    await tx.delete(profiles).where(eq(profiles.userId, user._id))\n',
    to: '',
    test: [claims, 'a password reset of an unconfirmed account removes what a stranger left in it'],
  },
  {
    name: 'a password reset deletes the profile of a confirmed account',
    file: 'shop/users/claim.server.ts',
    from: '    if (user.emailConfirmedAt) return false\n',
    to: '',
    test: [claims, 'a password reset of a confirmed account changes nothing else'],
  },
  {
    name: 'a password reset keeps the name that a stranger chose',
    file: 'shop/users/claim.server.ts',
    from: 'name: nameOfMailbox(user), ',
    to: '',
    test: [claims, 'a password reset of an unconfirmed account removes what a stranger left in it'],
  },
  {
    name: 'a request that waited while its session ended still writes to the account',
    file: 'shop/users/lock.server.ts',
    from: 'user?.tokenVersion !== tokenVersion',
    to: '!user',
    test: [claims, 'requests that were authenticated before a password reset write nothing after it'],
  },
  {
    name: 'a request that waited for others of its account runs although its role has ended',
    file: 'api/server.ts',
    from: 'handle(late ? await authorize(call, c, params, options.access) : caller)',
    to: 'handle(caller)',
    test: [
      'api/server.test.ts',
      'a request that waited for others of its account is refused when its role has ended meanwhile',
    ],
  },
  {
    name: 'a password reset lets the unpaid orders of everybody expire',
    file: 'shop/users/claim.server.ts',
    from: 'and(eq(orders.userId, user._id), hasUnpaidLine)',
    to: 'hasUnpaidLine',
    test: [claims, 'a password reset of an unconfirmed account removes what a stranger left in it'],
  },
  {
    name: 'startPayment without an order id pays any customer’s order',
    file: 'shop/payments/payments.server.ts',
    from: 'eq(purchases.userId, payer._id), ',
    to: '',
    test: [strangers, 'startPayment without an order id never pays another customer’s order'],
  },
  {
    name: 'startPayment opens the payment of a stranger’s order',
    file: 'shop/payments/payments.server.ts',
    from: '  if (order.userId !== payer._id) throw orderNotFoundError()\n',
    to: '',
    test: [strangers, 'another customer’s order can be neither read, paid, cancelled nor followed'],
  },
  {
    name: 'startPayment returns the open payment of any order',
    file: 'shop/payments/payments.server.ts',
    from: 'from(payments).where(eq(payments.orderId, order._id))',
    to: 'from(payments)',
    test: [strangers, 'startPayment returns the open payment of that order, not of an equal one'],
  },
  {
    name: 'anybody may read, pay and cancel any order',
    file: 'shop/orders/orders.server.ts',
    from: '!== member._id) throw',
    to: "=== '') throw",
    test: [strangers, 'another customer’s order can be neither read, paid, cancelled nor followed'],
  },
  {
    name: 'My Orders lists everybody’s orders',
    file: 'shop/orders/lists.server.ts',
    from: 'and(notCancelled, inArray(purchases.userId, owner))',
    to: 'notCancelled',
    test: ['shop/orders/lists.server.test.ts', 'listMyPurchases does not return another customer’s orders'],
  },
  {
    name: 'the timeline shows the events of all orders',
    file: 'shop/orders/timeline.server.ts',
    from: '    .where(eq(orderEvents.orderId, orderId))\n',
    to: '',
    test: [strangers, 'an order, its payments, refunds and events belong to its customer alone'],
  },
  {
    name: 'the timeline shows the payments of all orders',
    file: 'shop/orders/timeline.server.ts',
    from: 'eq(ledger.orderId, id), inArray(',
    to: 'inArray(',
    test: [strangers, 'an order, its payments, refunds and events belong to its customer alone'],
  },
  {
    name: 'an Idempotency-Key answers everybody',
    file: 'shop/idempotency.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: '`${call}:${userId}:${key}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    to: '`${call}:${key}`',
    test: [strangers, 'the same Idempotency-Key and body of two customers or visitors are two requests'],
  },
  {
    name: 'an Idempotency-Key of one call answers another call',
    file: 'shop/idempotency.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: '`${call}:${userId}:${key}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    to: '`${userId}:${key}`',
    test: [strangers, 'the same Idempotency-Key and body of two customers or visitors are two requests'],
  },
  {
    name: 'everybody’s unpaid orders count towards a customer’s limit',
    file: 'shop/orders/hold-limits.server.ts',
    from: '.where(and(eq(purchases.userId, buyer._id), awaitingPayment))',
    to: '.where(awaitingPayment)',
    test: [strangers, 'the unpaid and paid orders of another customer count towards nobody else’s limits'],
  },
  {
    name: 'anybody’s payment makes every customer a paying one',
    file: 'shop/orders/hold-limits.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: ' where paid.user_id = ${buyer._id} and ',
    to: ' where ',
    test: [strangers, 'the unpaid and paid orders of another customer count towards nobody else’s limits'],
  },
  {
    name: 'confirming an address extends everybody’s holds',
    file: 'shop/orders/hold-limits.server.ts',
    from: 'and(eq(orders.userId, userId), gt(orders.shortHoldUntil, new Date().toISOString()), hasUnpaidLine)',
    to: 'and(gt(orders.shortHoldUntil, new Date().toISOString()), hasUnpaidLine)',
    test: [strangers, 'paying, confirming or starting a payment extends the holds of that customer alone'],
  },
  {
    name: 'paying an order keeps the orders that a stranger left',
    file: 'shop/orders/hold-limits.server.ts',
    from: 'gt(orders.shortHoldUntil, new Date().toISOString())',
    to: 'isNotNull(orders.shortHoldUntil)',
    test: [
      'shop/users/claim.server.test.ts',
      'paying one order of a claimed account does not keep the others',
    ],
  },
  {
    name: 'one account can use up the connections of the database',
    file: 'api/server.ts',
    from: 'const perAccount = 4',
    to: 'const perAccount = 400',
    test: [
      'api/server.test.ts',
      'four requests of an account are handled at a time, and those of others do not wait',
    ],
  },
  {
    name: 'starting a payment extends everybody’s holds',
    file: 'db/migrations/0041_attach_payment.sql',
    from: 'where id = wanted and short_hold_until is not null',
    to: 'where short_hold_until is not null',
    test: [strangers, 'paying, confirming or starting a payment extends the holds of that customer alone'],
  },
  {
    name: 'a profile is that of whoever saved one first',
    file: 'shop/profiles/profiles.server.ts',
    from: 'eq(profiles.userId, users._id)',
    to: 'eq(profiles.userId, profiles.userId)',
    test: [strangers, 'a profile is read and saved for its owner alone'],
  },
  {
    name: 'readProfile reads any user',
    file: 'shop/profiles/profiles.server.ts',
    from: '\n    .where(eq(users.email, normalizeEmail(email)))',
    to: '',
    test: [strangers, 'a profile is read and saved for its owner alone'],
  },
  {
    name: 'a new confirmation link ends those of everybody',
    file: 'shop/users/confirmation.server.ts',
    from: '.where(eq(emailConfirmations.userId, _id))',
    to: '',
    test: [accounts, 'confirmation links of another account stay valid, and confirm nobody else'],
  },
  {
    name: 'a confirmation link confirms everybody',
    file: 'shop/users/confirmation.server.ts',
    from: 'and(eq(users.email, normalizeEmail(email)), isNull(users.emailConfirmedAt))',
    to: 'isNull(users.emailConfirmedAt)',
    test: [accounts, 'confirmation links of another account stay valid, and confirm nobody else'],
  },
  {
    name: 'a confirmation link works for another account',
    file: 'shop/users/confirmation.server.ts',
    from: '      eq(emailConfirmations.userId, user._id),\n',
    to: '',
    test: [
      'shop/users/confirmation.server.test.ts',
      'a confirmation link of another account, or of an earlier address, confirms nothing',
    ],
  },
  {
    name: 'the same subject at another identity provider signs in to the account',
    file: 'shop/users/users.server.ts',
    from: 'and(eq(users.issuer, issuer), eq(users.subject, subject))',
    to: 'eq(users.subject, subject)',
    test: [accounts, 'the same subject at another identity provider is another account'],
  },
  {
    name: 'signing out signs everybody out',
    file: 'shop/users/users.server.ts',
    from: 'revoke(shop, eq(users._id, user._id))',
    to: 'revoke(shop, undefined)',
    test: ['shop/users/users.server.test.ts', 'signOut revokes every access token of that user only'],
  },
  {
    name: 'removing an admin removes all',
    file: 'shop/users/users.server.ts',
    from: "set({ role: 'customer' }).where(eq(users._id, user._id))",
    to: "set({ role: 'customer' })",
    test: [accounts, 'an upload key is that of its admin, and ends with the role of that admin alone'],
  },
  {
    name: 'an upload key is checked against any user',
    file: 'shop/parts/pictures.server.ts',
    from: '.from(users).where(eq(users._id, id))',
    to: '.from(users)',
    test: [accounts, 'an upload key is that of its admin, and ends with the role of that admin alone'],
  },
  {
    name: 'a device that knows one account is known to all',
    file: 'providers/identity/known-devices.ts',
    from: 'and(eq(user.email, email.toLowerCase()), isNotNull(account.password))',
    to: 'isNotNull(account.password)',
    test: ['providers/identity/rate-limits.test.ts', 'the device cookie of another account does not count'],
  },
  {
    name: 'a password reset ends the reset links of everybody',
    file: 'providers/identity/auth.ts',
    from: '.where(eq(identityTables.verification.value, user.id))',
    to: '',
    test: ['providers/identity/reset.test.ts', 'ends no session, token or reset link of another account'],
  },
  {
    name: 'emails to one unconfirmed address use up those of all',
    file: 'shop/users/unconfirmed-emails.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: '`emails:to:${address.toLowerCase()}`',
    to: "'emails:to'",
    test: [accounts, 'the emails to another unconfirmed address do not count'],
  },
  {
    name: 'one network can send any number of emails to variants of an address',
    file: 'shop/users/unconfirmed-emails.server.ts',
    from: 'max: 6,',
    to: 'max: 60,',
    test: [confirmations, 'emails to variants of an address do not count as emails to it'],
  },
  {
    name: 'the email of a paid order is dropped when an address has had its emails of the day',
    file: 'shop/orders/notify.server.ts',
    from: 'eq(ledger.orderId, order._id))) > 0',
    to: 'eq(ledger.orderId, order._id))) > 9',
    test: [confirmations, 'an unconfirmed customer gets the email of a paid order'],
  },
  {
    name: 'a network can register any number of variants of a mailbox',
    file: 'providers/identity/rate-limits.ts',
    from: '[...registrations, ofMailbox, ',
    to: '[...registrations, ',
    test: [
      'providers/identity/rate-limits.test.ts',
      'a network can register five variants of a mailbox a day',
    ],
  },
  {
    name: 'photos of one user use up the hourly limit of all',
    file: 'shop/photos/photos.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: '`photo:by:${userId}`',
    to: "'photo:by'",
    test: ['shop/photos/photos.server.test.ts', 'a user can load 20 photos an hour, failures included'],
  },
  {
    name: 'a draft is shown to the next user of the browser',
    file: 'app/drafts.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: '`${prefix}${owner}:${name}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    to: '`${prefix}${name}`',
    test: ['app/drafts.test.ts', 'a draft and its idempotency key belong to the signed-in user alone'],
  },
]
