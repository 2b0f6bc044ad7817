import { z } from 'zod'
import { check } from './errors.ts'
import { emailAddress, optionalText, type Page, paging } from './fields.ts'
import type { Email } from './ports.ts'

interface EmailContent {
  to: string
  /** Whom an answer goes to, unless it is the shop. */
  replyTo?: string
  subject: string
  /** Plain text; a new line in one stays a new line. */
  paragraphs: string[]
  /** The one thing to do: what the button says, and the address that it opens. */
  action?: { words: string; address: string }
  /** Paragraphs below the button. */
  after?: string[]
}

/** What is queued or kept of a letter. */
export interface StoredEmail extends Email {
  _id: string
  createdAt: string
}

/** Where letters are kept for everybody to read, instead of being sent. */
export interface Outbox {
  /** Newest first. */
  read(query?: Partial<OutboxQuery>): Promise<Page<StoredEmail>>
}

/** `q` finds letters that have each of its words somewhere in recipient, subject or text. */
export const outboxQuery = paging.extend({ q: optionalText(100) })
export type OutboxQuery = z.output<typeof outboxQuery>

// What stands in a header must not be able to begin another one.
const address = emailAddress('A letter needs an address', 'That is not one email address')
const addresses = z.object({ to: address, replyTo: address.optional() })

/** Puts a letter of the shop into words. Throws ShopError 'invalid' when `to` or `replyTo` is not one email address. */
export function composeEmail(from: { name: string; address: string }, words: EmailContent): Email {
  const { to, replyTo } = check(addresses, { to: words.to, replyTo: words.replyTo })
  const subject = words.subject.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const { paragraphs, action, after = [] } = words
  const text = [
    ...paragraphs,
    ...(action ? [`${action.words}:\n${action.address}`] : []),
    ...after,
    `-- \n${from.name}\n${from.address}`,
  ].join('\n\n')
  const html = page(from, { subject, paragraphs, action, after })
  return { to, ...(replyTo && { replyTo }), subject, text, html }
}

// Text, links and ground keep the reader's own colours, light or dark. Only the button has one: white is legible on it, and
// it stands out from both grounds.
const styles = {
  page: 'max-width: 560px; margin: 0 auto; padding: 24px 16px; font: 16px/1.5 Arial, sans-serif',
  shop: 'margin: 0 0 24px; font-size: 20px; font-weight: bold',
  paragraph: 'margin: 0 0 16px; overflow-wrap: anywhere',
  button:
    'display: inline-block; padding: 12px 20px; background-color: #c43c14; color: #ffffff; font-weight: bold; text-decoration: none',
  foot: 'margin: 32px 0 0; padding-top: 16px; border-top: 1px solid; font-size: 14px',
}

function page(
  from: { name: string; address: string },
  letter: Pick<EmailContent, 'paragraphs' | 'action' | 'after'> & { subject: string },
) {
  const { subject, paragraphs, action, after = [] } = letter
  const paragraph = (text: string) =>
    `<p style="${styles.paragraph}">${escapeHtml(text).replace(/\r?\n/g, '<br>')}</p>`
  const button = ({ words, address }: { words: string; address: string }) => {
    const link = `href="${escapeHtml(address)}" target="_blank"`
    return [
      `<p style="${styles.paragraph}"><a ${link} style="${styles.button}">${escapeHtml(words)}</a></p>`,
      `<p style="${styles.paragraph}"><a ${link}>${escapeHtml(address)}</a></p>`,
    ]
  }
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    '</head>',
    '<body style="margin: 0">',
    `<div lang="en" style="${styles.page}">`,
    `<p style="${styles.shop}">${escapeHtml(from.name)}</p>`,
    ...paragraphs.map(paragraph),
    ...(action ? button(action) : []),
    ...after.map(paragraph),
    `<p style="${styles.foot}">${escapeHtml(from.name)}<br>${escapeHtml(from.address)}</p>`,
    '</div>',
    '</body>',
    '</html>',
  ].join('\n')
}

/** Text as it is written into HTML, also into an attribute. */
export function escapeHtml(text: string) {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
  return text.replace(/[&<>"']/g, (letter) => `&${names[letter]};`)
}
