import { writeLetter } from '#shop/emails.ts'
import { dollars } from '#shop/money.ts'
import type { Letter, Shop } from '#shop/ports.ts'
import type { Order } from './order.ts'

type Sender = Pick<Shop, 'mail' | 'origin'>

/** What a letter about an order has to know of it. */
export type LetterOrder = Pick<
  Order,
  '_id' | 'email' | 'name' | 'parts' | 'quantity' | 'price' | 'transactionId'
>

/** An order was placed; `heldUntil` is null when its parts are set aside for ever. */
export function placedLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { heldUntil }: { heldUntil: string | null },
): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `Your order of ${what(order)}`,
    paragraphs: [
      greeting(order),
      'Thank you for your order. We have set its parts aside for you:',
      bill(order),
      heldUntil
        ? `Please pay by ${moment(heldUntil)}. After that the order expires: nothing is charged, and its parts go back on sale.`
        : 'They wait for you until you pay or cancel.',
    ],
    action: { words: `Pay ${dollars(order.price)}`, address: addressOf(origin, order).payment },
    after: [
      'Until it is paid, you can cancel it in My Orders. If it was not you who ordered, you need do nothing.',
    ],
  })
}

/** An order was paid: its receipt. */
export function paidLetter({ mail, origin }: Sender, order: LetterOrder): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `Your receipt for ${what(order)}`,
    paragraphs: [
      greeting(order),
      `Thank you: your payment of ${dollars(order.price)} is here, and your order is paid.`,
      bill(order),
    ],
    action: { words: 'See the receipt', address: addressOf(origin, order).receipt },
    after: ['We write again when your parts leave.'],
  })
}

/** An order was paid after it had expired, and its parts were still there. */
export function takenAgainLetter({ mail, origin }: Sender, order: LetterOrder): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `Yours after all: ${what(order)}`,
    paragraphs: [
      greeting(order),
      `Your payment of ${dollars(order.price)} came when your order had just expired. Its parts were still there, so we have set them aside for you again: the order is paid, and you need do nothing.`,
      bill(order),
    ],
    action: { words: 'See the receipt', address: addressOf(origin, order).receipt },
    after: ['We write again when your parts leave.'],
  })
}

/** The parts of an order have left. */
export function shippedLetter({ mail, origin }: Sender, order: LetterOrder): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `On its way: your order of ${what(order)}`,
    paragraphs: [
      greeting(order),
      `Your ${what(order)} have left the factory, for the address that you gave with the order.`,
    ],
    action: { words: 'See the order', address: addressOf(origin, order).page },
    after: ['Is anything wrong or missing when they arrive? Answer this letter, and we put it right.'],
  })
}

/** Money of a paid order was given back: `amount` whole dollars, `reason` in the words of whoever gave it back. */
export function refundedLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { amount, reason }: { amount: number; reason: string },
): Letter {
  const share =
    amount < order.price ? `${dollars(amount)} of the ${dollars(order.price)}` : `the ${dollars(amount)}`
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `${dollars(amount)} back for your order of ${what(order)}`,
    paragraphs: [
      greeting(order),
      `We have given back ${share} that you paid for ${what(order)}.`,
      `Reason: ${reason}`,
      onItsWayBack,
    ],
    action: { words: 'See the order', address: addressOf(origin, order).page },
  })
}

/** A payment could not be used, and goes back: `amount` in whole dollars, `reason` as a sentence. */
export function returnedLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { amount, reason }: { amount: number; reason: string },
): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `Your payment for ${what(order)} goes back to you`,
    paragraphs: [
      greeting(order),
      `We received a payment of ${dollars(amount)} for your order of ${what(order)} and could not use it. All of it goes back to you, and you need do nothing.`,
      `Reason: ${reason}`,
      onItsWayBack,
    ],
    // A cancelled order has no page for its customer any more.
    action: { words: 'See your orders', address: `${origin}/dashboard/myOrders` },
  })
}

/** What was said to be given back could not be: `amount` in whole dollars. */
export function notRefundedLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { amount }: { amount: number },
): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `${dollars(amount)} for ${what(order)} could not be given back`,
    paragraphs: [
      greeting(order),
      `We wrote that ${dollars(amount)} for your order of ${what(order)} go back to your card. Your bank did not take the money, so it is still here, and still yours.`,
      'We look for another way and write to you. You can also answer this letter.',
    ],
    action: { words: 'See your orders', address: `${origin}/dashboard/myOrders` },
  })
}

/** Tells the shop itself that money could not be given back: `reference` is the refund at the card provider. */
export function pleaseRefundLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { amount, reference }: { amount: number; reference: string },
): Letter {
  return writeLetter(mail.shop, {
    to: mail.shop.address,
    replyTo: order.email,
    subject: `A refund failed: ${dollars(amount)} for ${what(order)}`,
    paragraphs: [
      `The card provider could not give back ${dollars(amount)} to ${order.email}. They know that we look for another way.`,
      `Order: ${order._id}\nRefund at the card provider: ${reference}`,
    ],
    action: { words: 'See the order', address: addressOf(origin, order).page },
  })
}

/** The time to pay an order is nearly over. */
export function endingLetter(
  { mail, origin }: Sender,
  order: LetterOrder,
  { heldUntil }: { heldUntil: string },
): Letter {
  return writeLetter(mail.shop, {
    to: order.email,
    subject: `Still waiting for you: ${what(order)}`,
    paragraphs: [
      greeting(order),
      `Your order is not paid yet. We keep its parts for you until ${moment(heldUntil)}:`,
      bill(order),
      'After that the order expires: nothing is charged, and its parts go back on sale.',
    ],
    action: { words: `Pay ${dollars(order.price)}`, address: addressOf(origin, order).payment },
    after: ['If you have no use for them any more, you need do nothing.'],
  })
}

const onItsWayBack = 'The money goes to the card that paid. How soon it appears there is up to your bank.'

const utc = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** Nobody knows where a letter is read. */
function moment(at: string) {
  return `${utc.format(new Date(at))} UTC`
}

// Anybody may register with anybody's address: what they say they are called carries no link into a stranger's mail.
function greeting({ name }: LetterOrder) {
  return /[:/@\n]|\w\.\w/.test(name) ? 'Hello,' : `Hello ${name},`
}

function what({ quantity, parts }: LetterOrder) {
  return `${quantity} × ${parts}`
}

function bill(order: LetterOrder) {
  const { _id, quantity, price, transactionId } = order
  return [
    what(order),
    `Price per unit: ${dollars(price / quantity)}`,
    `Amount: ${dollars(price)}`,
    ...(transactionId ? [`TransactionId: ${transactionId}`] : []),
    `Order: ${_id}`,
  ].join('\n')
}

function addressOf(origin: string, { _id }: LetterOrder) {
  const page = `${origin}/dashboard/orders/${_id}`
  return { page, receipt: `${page}/receipt`, payment: `${origin}/dashboard/payment/${_id}` }
}
