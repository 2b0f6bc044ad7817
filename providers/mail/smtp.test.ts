import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { composeEmail, emailHtml } from '#shop/emails.ts'
import type { Email } from '#shop/ports.ts'
import { shopWithOrder } from '#test/bank.ts'
import { payOrderByCard, testShop } from '#test/shop.ts'
import { outboxRow } from './outbox-rows.ts'
import { retryGivenUp } from './retry.ts'
import { smtpMail } from './smtp.ts'

const shop = { name: 'Wheels & Söhne', address: 'hello@wheels.example' }
const emailTo = (to: string, subject = 'Hello') =>
  composeEmail(shop, { to, subject, paragraphs: ['A secret link', 'Grüße, 車輪'] })

const logged: string[] = []
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  logged.length = 0
  vi.spyOn(console, 'error').mockImplementation((line) => logged.push(String(line)))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(cleanups.splice(0).map((close) => close()))
})

interface ServerOptions {
  port?: number
  account?: { user: string; password: string }
  /** Rejects a recipient. */
  refuse?: (address: string) => { code: number; message: string } | undefined
  /** Runs before an email is accepted. */
  beforeAccept?: () => unknown
}

async function smtpServer({ port = 0, account, refuse, beforeAccept }: ServerOptions = {}) {
  const received: { from: string; to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    authOptional: !account,
    onAuth({ username, password }, _, callback) {
      if (username === account?.user && password === account?.password) callback(null, { user: username })
      else callback(new Error('Who are you?'))
    },
    onRcptTo({ address }, _, callback) {
      const rejection = refuse?.(address)
      callback(rejection && Object.assign(new Error(rejection.message), { responseCode: rejection.code }))
    },
    async onData(stream, { envelope }, callback) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      await beforeAccept?.()
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
      callback()
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  cleanups.push(close)
  const { port: actualPort } = server.server.address() as AddressInfo
  return { port: actualPort, url: `smtp://127.0.0.1:${actualPort}`, received, close }
}

type Db = Awaited<ReturnType<typeof testShop>>['db']

/** Queues emails without sending them, like a process that crashed. */
async function enqueue(db: Db, ...emails: Email[]) {
  const hourAgo = Date.now() - 3_600_000
  const rows = emails.map((email, i) => ({ ...outboxRow(email), nextTryAt: new Date(hourAgo + i) }))
  await db.insert(outbox).values(rows)
}

async function expireDelays(db: Db) {
  await db.update(outbox).set({ nextTryAt: new Date(0) })
}

function parseMessage(raw: string) {
  const [head = ''] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!
  const parts = raw.split(`--${boundary}`).slice(1, -1)
  return {
    names: headers.map((line) => line.split(':')[0]!),
    header: (name: string) => {
      const line = headers.find((line) => line.startsWith(`${name}: `))
      return line && decodeHeader(line.slice(name.length + 2))
    },
    part: (type: string) => {
      const [head, ...body] = parts.find((part) => part.includes(`Content-Type: ${type}`))!.split('\r\n\r\n')
      const text = body.join('\r\n\r\n')
      return /base64/.test(head!)
        ? Buffer.from(text, 'base64').toString()
        : unquote(text.replace(/=\r\n/g, ''))
    },
  }
}

function decodeHeader(header: string) {
  return header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, how, text) =>
      /b/i.test(how) ? Buffer.from(text, 'base64').toString() : unquote(text.replace(/_/g, ' ')),
    )
}

function unquote(text: string) {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
}

test('an email is sent at once as text and HTML in UTF-8, and its row is deleted', async () => {
  const { db } = await testShop()
  const arrived = Promise.withResolvers<void>()
  const server = await smtpServer({ beforeAccept: arrived.resolve })
  const mail = smtpMail(db, { url: server.url, shop })
  const email = composeEmail(shop, {
    to: 'ada@example.com',
    replyTo: 'bob@example.com',
    subject: 'Grüße aus dem Lager: 車輪',
    paragraphs: ['Grüße, 車輪 🚲'],
    action: { label: 'Open', url: `https://wheels.example/reset-password?token=${'x'.repeat(200)}` },
  })
  await mail.send(email)
  await arrived.promise
  await mail.deliver()

  expect(server.received).toMatchObject([{ from: shop.address, to: ['ada@example.com'] }])
  const { header, part } = parseMessage(server.received[0]!.raw)
  expect(header('From')).toBe(`${shop.name} <${shop.address}>`)
  expect(header('To')).toBe('ada@example.com')
  expect(header('Reply-To')).toBe('bob@example.com')
  expect(header('Subject')).toBe(email.subject)
  expect(part('text/plain').replace(/\r\n/g, '\n').trim()).toBe(email.text)
  expect(part('text/html').replace(/\r\n/g, '\n').trim()).toBe(emailHtml(email))
  expect(await db.$count(outbox)).toBe(0)
})

test('the transport authenticates, and retries later after a failed login', async () => {
  const { db } = await testShop()
  const { port, received } = await smtpServer({ account: { user: 'a@b', password: 'p:s/1' } })
  const wrong = smtpMail(db, { url: `smtp://a%40b:wrong@127.0.0.1:${port}`, shop })
  await wrong.send(emailTo('ada@example.com'))
  await wrong.deliver()
  expect(received).toEqual([])
  const [row] = await db.select().from(outbox)
  expect(row).toMatchObject({ tries: 1, failure: expect.stringContaining('535') })
  expect(row!.nextTryAt!.getTime()).toBeGreaterThan(row!.createdAt.getTime())

  await expireDelays(db)
  await smtpMail(db, { url: `smtp://a%40b:p%3As%2F1@127.0.0.1:${port}`, shop }).deliver()
  expect(received).toMatchObject([{ to: ['ada@example.com'] }])
  expect(await db.$count(outbox)).toBe(0)
})

test('emails wait while the mail server is down, and one failure stops the round', async () => {
  const { db } = await testShop()
  const stopped = await smtpServer()
  await stopped.close()
  const mail = smtpMail(db, { url: stopped.url, shop })
  await enqueue(db, emailTo('ada@example.com'), emailTo('bob@example.com'))
  await mail.deliver()
  const tries = async () => (await db.select().from(outbox).orderBy(outbox.number)).map(({ tries }) => tries)
  expect(await tries()).toEqual([1, 0])

  const restarted = await smtpServer({ port: stopped.port })
  await mail.deliver()
  expect(restarted.received.map(({ to }) => to)).toEqual([['bob@example.com']])
  await expireDelays(db)
  await mail.deliver()
  expect(restarted.received.map(({ to }) => to)).toEqual([['bob@example.com'], ['ada@example.com']])
  expect(await db.$count(outbox)).toBe(0)
})

test('a permanent rejection fails the email, a temporary one is retried, and others are sent', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer({
    refuse: (address) =>
      ({
        'gone@example.com': { code: 550, message: `No such user ${address}` },
        'grey@example.com': { code: 451, message: `Later, ${address}` },
      })[address],
  })
  const mail = smtpMail(db, { url, shop })
  await enqueue(db, ...['gone', 'grey', 'ada'].map((name) => emailTo(`${name}@example.com`)))
  await mail.deliver()
  expect(received.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(await db.select().from(outbox).orderBy(outbox.number)).toMatchObject([
    { recipient: 'gone@example.com', nextTryAt: null, failure: expect.stringContaining('No such user') },
    { recipient: 'grey@example.com', nextTryAt: expect.any(Date), tries: 1 },
  ])
})

test('the failure log contains nothing of the email', async () => {
  const { db } = await testShop()
  const { url } = await smtpServer({ refuse: (address) => ({ code: 550, message: `No ${address}` }) })
  const mail = smtpMail(db, { url, shop })
  await mail.send(emailTo('ada@example.com', 'For your eyes only'))
  await mail.deliver()
  const [row] = await db.select().from(outbox)
  expect(logged).toEqual([expect.stringContaining(row!._id)])
  expect(logged[0]).toContain('550')
  expect(logged[0]).not.toMatch(/ada@|secret|eyes/)
})

test('retries back off from one minute to four hours and stop after 14 tries, until an operator asks for more', async () => {
  const { db } = await testShop()
  const { url, close } = await smtpServer()
  await close()
  const mail = smtpMail(db, { url, shop })
  await enqueue(db, emailTo('ada@example.com'))
  const minutes: (number | null)[] = []
  for (let tried = 1; tried <= 15; tried++) {
    await mail.deliver()
    const [row] = await db.select().from(outbox)
    const pause = row!.nextTryAt && (row!.nextTryAt.getTime() - Date.now()) / 60_000
    minutes.push(pause && Math.ceil(pause))
    if (pause) await expireDelays(db)
  }
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240, null, null])
  expect(await db.select().from(outbox)).toMatchObject([{ tries: 14 }])

  const other = await smtpServer()
  await smtpMail(db, { url: other.url, shop }).deliver()
  expect(other.received).toEqual([])
  // One that waits for its next try, and one that a demo has stored.
  await enqueue(db, emailTo('bob@example.com'), emailTo('cy@example.com'))
  const change = (recipient: string, values: Partial<typeof outbox.$inferInsert>) =>
    db.update(outbox).set(values).where(eq(outbox.recipient, recipient))
  const nextTryAt = new Date(Date.now() + 3_600_000)
  await change('bob@example.com', { nextTryAt, tries: 3, failure: 'busy' })
  await change('cy@example.com', { nextTryAt: null })
  expect(await retryGivenUp(db)).toBe(1)
  const [retried] = await db.select().from(outbox).where(eq(outbox.recipient, 'ada@example.com'))
  expect(retried!.tries).toBe(0)
  await smtpMail(db, { url: other.url, shop }).deliver()
  expect(other.received.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(await retryGivenUp(db)).toBe(0)
  expect(await db.select().from(outbox).orderBy(outbox.number)).toMatchObject([
    { recipient: 'bob@example.com', tries: 3, nextTryAt },
    { recipient: 'cy@example.com', nextTryAt: null },
  ])
})

test('emails are sent in the order in which they are due', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer()
  await enqueue(db, ...['ada', 'bob', 'cy'].map((name) => emailTo(`${name}@example.com`)))
  for (const [recipient, minutes] of [
    ['ada@example.com', 1],
    ['cy@example.com', 2],
    ['bob@example.com', -60],
  ] as const)
    await db
      .update(outbox)
      .set({ nextTryAt: new Date(Date.now() - minutes * 60_000) })
      .where(eq(outbox.recipient, recipient))
  await smtpMail(db, { url, shop }).deliver()
  expect(received.map(({ to }) => to)).toEqual([['cy@example.com'], ['ada@example.com']])
})

test('a password is sent to another machine only with TLS', async () => {
  const { db } = await testShop()
  const account = { user: 'shop', password: 'secret' }
  const [secured, open] = [await smtpServer({ account }), await smtpServer()]
  // Reaches this machine by a name of no machine.
  const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0')
  const withPassword = (url: string) => url.replace('//', `//${account.user}:${account.password}@`)
  for (const url of [elsewhere(withPassword(secured.url)), withPassword(secured.url), elsewhere(open.url)]) {
    await enqueue(db, emailTo('ada@example.com'))
    await smtpMail(db, { url, shop }).deliver()
    await expireDelays(db)
  }
  expect([secured.received.length, open.received.length]).toEqual([2, 1])
  expect(logged).toEqual([expect.stringContaining('email not sent')])
})

test('two concurrent processes send each email once', async () => {
  const { db } = await testShop()
  const bothStarted = Promise.withResolvers<void>()
  let inProgress = 0
  const { url, received } = await smtpServer({
    beforeAccept: () => {
      if (++inProgress === 2) bothStarted.resolve()
      return bothStarted.promise
    },
  })
  const recipients = Array.from({ length: 12 }, (_, i) => `person-${i}@example.com`)
  await enqueue(db, ...recipients.map((address) => emailTo(address)))
  const processes = [smtpMail(db, { url, shop }), smtpMail(db, { url, shop })]
  await Promise.all(processes.map((mail) => mail.deliver()))
  expect(received.flatMap(({ to }) => to).sort()).toEqual(recipients.sort())
  expect(await db.$count(outbox)).toBe(0)
})

// The embedded engine has one connection, so no row can be locked by another.
if (inject('postgresUrl'))
  test('a row locked by another process does not block the next email', async () => {
    const { db } = await testShop()
    const { url, received } = await smtpServer()
    await enqueue(db, emailTo('first@example.com'))
    await enqueue(db, emailTo('second@example.com'))
    await db
      .update(outbox)
      .set({ nextTryAt: sql`now() - interval '1 hour'` })
      .where(eq(outbox.recipient, 'first@example.com'))
    await db.transaction(async (tx) => {
      await tx.select().from(outbox).where(eq(outbox.recipient, 'first@example.com')).for('update')
      await smtpMail(db, { url, shop }).deliver()
    })
    expect(received.flatMap(({ to }) => to)).toEqual(['second@example.com'])
  })

test('an email is resent with the same Message-ID after a crash', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer()
  const crashing: typeof db = Object.assign(Object.create(db), {
    delete() {
      throw new Error('dead')
    },
  })
  await enqueue(db, emailTo('ada@example.com'))
  await expect(smtpMail(crashing, { url, shop }).deliver()).rejects.toThrow('dead')
  await expireDelays(db)
  await smtpMail(db, { url, shop }).deliver()
  const [first, second, ...more] = received.map(({ raw }) => parseMessage(raw).header('Message-ID'))
  expect(first).toMatch(/^<[\w-]+@wheels\.example>$/)
  expect(second).toBe(first)
  expect(more).toEqual([])
})

test('an email that can be unsubscribed from says so in its headers, and others do not', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer()
  const unsubscribeUrl = `https://wheels.example/review-emails?token=${'x'.repeat(150)}`
  await enqueue(db, { ...emailTo('ada@example.com'), unsubscribeUrl }, emailTo('bob@example.com'))
  await smtpMail(db, { url, shop }).deliver()
  const headers = received.map(({ raw }) =>
    ['List-Unsubscribe', 'List-Unsubscribe-Post'].map((name) => parseMessage(raw).header(name) ?? null),
  )
  expect(headers).toEqual([
    [`<${unsubscribeUrl}>`, 'List-Unsubscribe=One-Click'],
    [null, null],
  ])
})

test('emails of a conversation refer to it, and only others are marked as automatic', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer()
  await enqueue(db, { ...emailTo('ada@example.com'), thread: 'message-1' })
  await enqueue(db, emailTo('bob@example.com'))
  await smtpMail(db, { url, shop }).deliver()
  const headers = received.map(({ raw }) =>
    ['References', 'In-Reply-To', 'Auto-Submitted'].map((name) => parseMessage(raw).header(name) ?? null),
  )
  const thread = '<message-1@wheels.example>'
  expect(headers).toEqual([
    [thread, thread, null],
    [null, null, 'auto-generated'],
  ])
})

test('a line break in subject or recipient cannot inject a header', async () => {
  const { db } = await testShop()
  const { url, received } = await smtpServer()
  const mail = smtpMail(db, { url, shop })
  const injection = 'x\r\nBcc: eve@example.com\r\n\r\nBody'
  await mail.send(emailTo('ada@example.com', injection))
  // Bypasses composeEmail, which would sanitise these.
  await mail.send({ ...emailTo('ada@example.com'), subject: injection })
  await mail.send({ ...emailTo('ada@example.com'), replyTo: `ada@example.com${injection}` })
  await mail.send({ ...emailTo('ada@example.com'), to: `ada@example.com${injection}` })
  await mail.deliver()
  expect(received.length).toBeGreaterThanOrEqual(3)
  for (const { to, raw } of received) {
    expect(to).toHaveLength(1)
    expect(to).not.toContain('eve@example.com')
    expect(parseMessage(raw).names).not.toContain('Bcc')
  }
})

test('close finishes the email in progress and starts no other', async () => {
  const { db } = await testShop()
  const arrived = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const { url, received } = await smtpServer({
    beforeAccept: () => {
      arrived.resolve()
      return closed.promise
    },
  })
  await enqueue(db, emailTo('ada@example.com'), emailTo('bob@example.com'))
  const mail = smtpMail(db, { url, shop })
  const delivering = mail.deliver()
  await arrived.promise
  const closing = mail.close()
  closed.resolve()
  await Promise.all([closing, delivering])
  await mail.deliver()
  expect(received.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(await db.$count(outbox)).toBe(1)
})

test('an email has the PDF of its invoice, and is sent without one that does not exist', async () => {
  const { shop: paidShop, ada, order } = await shopWithOrder()
  const { transactionId } = await payOrderByCard(paidShop, ada, order)
  const server = await smtpServer()
  const mail = smtpMail(paidShop.db, { url: server.url, shop })
  const attached = (reference: string) => ({
    ...emailTo('ada@example.com'),
    attachments: [{ kind: 'invoice' as const, reference }],
  })
  await enqueue(paidShop.db, attached(transactionId!), attached('pi_unknown'))
  await mail.deliver()
  const [withInvoice, without] = server.received.map(({ raw }) => raw)
  expect(withInvoice).toContain('filename=invoice-1001.pdf')
  expect(withInvoice).toContain(Buffer.from('%PDF-1').toString('base64').slice(0, 8))
  expect(without).not.toContain('application/pdf')
})
