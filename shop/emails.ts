import { z } from 'zod'
import { toColumns } from '#db/driver/json.ts'
import type { outbox } from '#db/embedded.ts'
import { validate } from './errors.ts'
import { emailAddress, type Page, paging, searchText } from './fields.ts'
import type { Email, EmailAction, EmailAttachment, Mail } from './ports.ts'
import type { MailKind } from './settings/mail-kinds.ts'

interface EmailContent {
  /** Of an email to a customer that admins can add lines to. */
  kind?: MailKind
  to: string
  replyTo?: string
  thread?: string
  unsubscribeUrl?: string
  subject: string
  paragraphs: string[]
  action?: EmailAction
  after?: (string | EmailAction)[]
  attachments?: EmailAttachment[]
}

export interface StoredEmail extends Email {
  html: string
  _id: string
  createdAt: string
  files: { _id: string; name: string }[]
}

export interface Outbox {
  read(query?: Partial<OutboxQuery>): Promise<Page<StoredEmail>>
  /** Of an attachment; null when there is none with this id. */
  readFile(id: string): Promise<File | null>
}

/** `q` requires each of its terms in recipient, subject or text. */
export const outboxQuery = paging.extend({ q: searchText })
export type OutboxQuery = z.output<typeof outboxQuery>

const recipient = emailAddress('Email address is required', 'Enter one email address')
const recipients = z.object({ to: recipient, replyTo: recipient.optional() })

/** Throws ShopError 'invalid' when `to` or `replyTo` is not exactly one email address. */
export function composeEmail(from: Mail['shop'], content: EmailContent): Email {
  const { to, replyTo } = validate(recipients, { to: content.to, replyTo: content.replyTo })
  const subject = content.subject.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const { kind, paragraphs, action, after = [], attachments, thread, unsubscribeUrl } = content
  const { above, below } = (kind && from.texts?.[kind]) ?? { above: '', below: '' }
  // The first paragraph greets.
  const [greeting = '', ...others] = paragraphs
  const middle = [greeting, above, ...others].filter(Boolean)
  const blocks = [...middle, ...(action ? [action] : []), ...after, ...(below ? [below] : [])]
  const signature = `${signatureMark}${from.name}\n${from.address}`
  return {
    to,
    ...(replyTo && { replyTo }),
    ...(thread && { thread }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    subject,
    text: [...blocks.map(plainText), signature].join('\n\n'),
    actions: blocks.filter((block) => typeof block !== 'string'),
    ...(attachments && { attachments }),
  }
}

const signatureMark = '-- \n'

function plainText(item: string | EmailAction) {
  return typeof item === 'string' ? item : `${item.label}:\n${item.url}`
}

// Only the button sets a colour, which is legible in light and dark mode; everything else uses the reader's colours.
const styles = {
  page: 'padding: 24px 16px; font: 16px/1.5 Arial, sans-serif',
  column: 'width: 100%; max-width: 560px; margin: 0 auto; font: 16px/1.5 Arial, sans-serif',
  shop: 'margin: 0 0 24px; font-size: 20px; font-weight: bold',
  paragraph: 'margin: 0 0 16px; overflow-wrap: anywhere',
  button: 'padding: 12px 20px; background-color: #c43c14',
  label: 'color: #ffffff; font-weight: bold; text-decoration: none',
  foot: 'margin: 32px 0 0; padding-top: 16px; border-top: 1px solid; font-size: 14px',
}

/** Outlook knows padding in the cells of tables only. Screen readers are told that they are no tables. */
const layout = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** Made from the text when the email is sent or read, so that it need not be stored: it takes twice as much room as all the rest. */
export function emailHtml({ subject, text, actions }: Pick<Email, 'subject' | 'text' | 'actions'>): string {
  const start = text.lastIndexOf(signatureMark)
  const signature = text.slice(start + signatureMark.length)
  const [shopName = ''] = signature.split('\n')
  const lines = (text: string) => escapeHtml(text).replace(/\r?\n/g, '<br>')
  const paragraph = (html: string) => `<p style="${styles.paragraph}">${html}</p>`
  const render = (block: string) => {
    const action = actions.find((action) => plainText(action) === block)
    if (!action) return [paragraph(lines(block))]
    const [url, label] = [escapeHtml(action.url), escapeHtml(action.label)]
    const link = `href="${url}" target="_blank"`
    const button = `<td style="${styles.button}"><a ${link} style="${styles.label}">${label}</a></td>`
    return [
      `<table ${layout} style="margin: 0 0 16px"><tr>${button}</tr></table>`,
      paragraph(`<a ${link}>${url}</a>`),
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
    `<table ${layout} lang="en" width="100%"><tr><td style="${styles.page}">`,
    `<table ${layout} width="560" style="${styles.column}"><tr><td align="left">`,
    `<p style="${styles.shop}">${escapeHtml(shopName)}</p>`,
    ...text.slice(0, start).trimEnd().split('\n\n').flatMap(render),
    `<p style="${styles.foot}">${lines(signature)}</p>`,
    '</td></tr></table>',
    '</td></tr></table>',
    '</body>',
    '</html>',
  ].join('\n')
}

/** A row of the outbox as SQL functions read it. */
export function emailJson({ _id: id = crypto.randomUUID(), ...email }: typeof outbox.$inferInsert) {
  return toColumns({ id, ...email })
}

export function escapeHtml(text: string) {
  const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
  return text.replace(/[&<>"']/g, (char) => `&${entities[char]};`)
}
