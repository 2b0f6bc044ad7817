import type { Pricing } from '#shop/charges/pricing.server.ts'
import { formatDay } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { formatDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { greeting } from '#shop/orders/emails/email-summary.ts'
import type { Email, Shop } from '#shop/ports.ts'
import type { QuoteLine } from './quote.ts'

interface QuoteToSend {
  number: number
  email: string
  name: string
  validUntil: string
  note: string | null
  lines: QuoteLine[]
  total: number
  url: string
  /** What comes on top of prices, or is in them; null when that is nothing. */
  pricing: Pricing | null
}

export function quoteEmail(
  { mail }: { mail: Pick<Shop['mail'], 'shop' | 'owner'> },
  { number, email, name, validUntil, note, lines, total, url, pricing }: QuoteToSend,
): Email {
  const items = lines.map(
    (line) =>
      `${describeLine(line)} at ${formatDollars(line.unitPrice)} each: ${formatDollars(line.quantity * line.unitPrice)}`,
  )
  return composeEmail(mail.shop, {
    to: email,
    replyTo: mail.owner,
    subject: `Quote ${number} from ${mail.shop.name}: ${formatDollars(total)}`,
    paragraphs: [
      greeting({ name }),
      'We’ve prepared this quote for you:',
      [
        ...items,
        `${pricing ? 'Goods' : 'Total'}: ${formatDollars(total)}${pricing?.note ? `, ${pricing.note}` : ''}`,
      ].join('\n'),
      ...(note ? [note] : []),
      `You can accept it until ${formatDay(validUntil)}, while the parts are in stock. They are reserved for you once you accept.`,
    ],
    action: { label: 'View quote', url },
    after: ['The link is for you alone. Questions? Reply to this email.'],
  })
}
