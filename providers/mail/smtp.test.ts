import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { composeEmail } from '#shop/emails.ts'
import type { Email } from '#shop/ports.ts'
import { testShop } from '#test/shop.ts'
import { outboxRow } from './outbox-rows.ts'
import { smtpMail } from './smtp.ts'

const shop = { name: 'Wheels & Söhne', address: 'hello@wheels.example' }
const letterTo = (to: string, subject = 'Hello') =>
  composeEmail(shop, { to, subject, paragraphs: ['A secret link', 'Grüße, 車輪'] })

const log: string[] = []
const closing: (() => unknown)[] = []
beforeEach(() => {
  log.length = 0
  vi.spyOn(console, 'error').mockImplementation((line) => log.push(String(line)))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(closing.splice(0).map((close) => close()))
})

interface Behaviour {
  port?: number
  /** Who may send; everybody, unless given. */
  account?: { user: string; password: string }
  /** What it says to a recipient whom it does not take. */
  refuse?: (address: string) => { code: number; words: string } | undefined
  /** What happens before it has taken a letter. */
  meanwhile?: () => unknown
}

/** A real SMTP server on the loopback. */
async function smtpServer({ port = 0, account, refuse, meanwhile }: Behaviour = {}) {
  const letters: { from: string; to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    authOptional: !account,
    onAuth({ username, password }, _, answer) {
      if (username === account?.user && password === account?.password) answer(null, { user: username })
      else answer(new Error('Who are you?'))
    },
    onRcptTo({ address }, _, answer) {
      const no = refuse?.(address)
      answer(no && Object.assign(new Error(no.words), { responseCode: no.code }))
    },
    async onData(stream, { envelope }, answer) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      await meanwhile?.()
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
      answer()
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  closing.push(close)
  const { port: taken } = server.server.address() as AddressInfo
  return { port: taken, url: `smtp://127.0.0.1:${taken}`, letters, close }
}

type Db = Awaited<ReturnType<typeof testShop>>['db']

/** Writes letters into the outbox as a process does that ends before it has sent them. */
async function queue(db: Db, ...letters: Email[]) {
  const hourAgo = Date.now() - 3_600_000
  const rows = letters.map((letter, i) => ({ ...outboxRow(letter), nextTryAt: new Date(hourAgo + i) }))
  await db.insert(outbox).values(rows)
}

/** What would happen by itself after a while. */
async function makeDue(db: Db) {
  await db.update(outbox).set({ nextTryAt: new Date(0) })
}

/** The headers and parts of a message, as a mail program shows them. */
function read(raw: string) {
  const [head = ''] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!
  const parts = raw.split(`--${boundary}`).slice(1, -1)
  return {
    names: headers.map((line) => line.split(':')[0]!),
    header: (name: string) => {
      const line = headers.find((line) => line.startsWith(`${name}: `))
      return line && words(line.slice(name.length + 2))
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

function words(header: string) {
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

test('a letter arrives at once, as text and as a document, whatever it is written in, and nothing of it stays', async () => {
  const { db } = await testShop()
  const arriving = Promise.withResolvers<void>()
  const server = await smtpServer({ meanwhile: arriving.resolve })
  const mail = smtpMail(db, { url: server.url, shop })
  const letter = composeEmail(shop, {
    to: 'ada@example.com',
    replyTo: 'bob@example.com',
    subject: 'Grüße aus dem Lager: 車輪',
    paragraphs: ['Grüße, 車輪 🚲'],
    action: { words: 'Open', address: `https://wheels.example/reset-password?token=${'x'.repeat(200)}` },
  })
  await mail.send(letter)
  await arriving.promise
  await mail.deliver()

  expect(server.letters).toMatchObject([{ from: shop.address, to: ['ada@example.com'] }])
  const { header, part } = read(server.letters[0]!.raw)
  expect(header('From')).toBe(`${shop.name} <${shop.address}>`)
  expect(header('To')).toBe('ada@example.com')
  expect(header('Reply-To')).toBe('bob@example.com')
  expect(header('Subject')).toBe(letter.subject)
  expect(part('text/plain').replace(/\r\n/g, '\n').trim()).toBe(letter.text)
  expect(part('text/html').replace(/\r\n/g, '\n').trim()).toBe(letter.html)
  expect(await db.$count(outbox)).toBe(0)
})

test('the shop signs in at its mail server, and tries again later when it may not', async () => {
  const { db } = await testShop()
  const { port, letters } = await smtpServer({ account: { user: 'a@b', password: 'p:s/1' } })
  const wrong = smtpMail(db, { url: `smtp://a%40b:wrong@127.0.0.1:${port}`, shop })
  await wrong.send(letterTo('ada@example.com'))
  await wrong.deliver()
  expect(letters).toEqual([])
  const [row] = await db.select().from(outbox)
  expect(row).toMatchObject({ tries: 1, failure: expect.stringContaining('535') })
  expect(row!.nextTryAt!.getTime()).toBeGreaterThan(row!.createdAt.getTime())

  await makeDue(db)
  await smtpMail(db, { url: `smtp://a%40b:p%3As%2F1@127.0.0.1:${port}`, shop }).deliver()
  expect(letters).toMatchObject([{ to: ['ada@example.com'] }])
  expect(await db.$count(outbox)).toBe(0)
})

test('a letter waits while the mail server is away, and no other is tried in vain', async () => {
  const { db } = await testShop()
  const away = await smtpServer()
  await away.close()
  const mail = smtpMail(db, { url: away.url, shop })
  await queue(db, letterTo('ada@example.com'), letterTo('bob@example.com'))
  await mail.deliver()
  const tries = async () => (await db.select().from(outbox).orderBy(outbox.number)).map(({ tries }) => tries)
  expect(await tries()).toEqual([1, 0])

  const back = await smtpServer({ port: away.port })
  await mail.deliver()
  expect(back.letters.map(({ to }) => to)).toEqual([['bob@example.com']])
  await makeDue(db)
  await mail.deliver()
  expect(back.letters.map(({ to }) => to)).toEqual([['bob@example.com'], ['ada@example.com']])
  expect(await db.$count(outbox)).toBe(0)
})

test('a letter that is refused for good is given up, one that is put off is tried again, and others go on', async () => {
  const { db } = await testShop()
  const { url, letters } = await smtpServer({
    refuse: (address) =>
      ({
        'gone@example.com': { code: 550, words: `No such user ${address}` },
        'grey@example.com': { code: 451, words: `Later, ${address}` },
      })[address],
  })
  const mail = smtpMail(db, { url, shop })
  await queue(db, ...['gone', 'grey', 'ada'].map((name) => letterTo(`${name}@example.com`)))
  await mail.deliver()
  expect(letters.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(await db.select().from(outbox).orderBy(outbox.number)).toMatchObject([
    { recipient: 'gone@example.com', nextTryAt: null, failure: expect.stringContaining('No such user') },
    { recipient: 'grey@example.com', nextTryAt: expect.any(Date), tries: 1 },
  ])
})

test('what failed is told without anything of the letter', async () => {
  const { db } = await testShop()
  const { url } = await smtpServer({ refuse: (address) => ({ code: 550, words: `No ${address}` }) })
  const mail = smtpMail(db, { url, shop })
  await mail.send(letterTo('ada@example.com', 'For your eyes only'))
  await mail.deliver()
  const [row] = await db.select().from(outbox)
  expect(log).toEqual([expect.stringContaining(row!._id)])
  expect(log[0]).toContain('550')
  expect(log[0]).not.toMatch(/ada@|secret|eyes/)
})

test('pauses grow from a minute to hours, and after a day of them a letter is given up', async () => {
  const { db } = await testShop()
  const { url, close } = await smtpServer()
  await close()
  const mail = smtpMail(db, { url, shop })
  await queue(db, letterTo('ada@example.com'))
  const minutes: (number | null)[] = []
  for (let tried = 1; tried <= 15; tried++) {
    await mail.deliver()
    const [row] = await db.select().from(outbox)
    const pause = row!.nextTryAt && (row!.nextTryAt.getTime() - Date.now()) / 60_000
    minutes.push(pause && Math.ceil(pause))
    if (pause) await makeDue(db)
  }
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240, null, null])
  expect(await db.select().from(outbox)).toMatchObject([{ tries: 14 }])
})

test('two processes deliver at the same time, and each letter is sent once', async () => {
  const { db } = await testShop()
  const both = Promise.withResolvers<void>()
  let under = 0
  const { url, letters } = await smtpServer({
    meanwhile: () => {
      if (++under === 2) both.resolve()
      return both.promise
    },
  })
  const everybody = Array.from({ length: 12 }, (_, i) => `person-${i}@example.com`)
  await queue(db, ...everybody.map((address) => letterTo(address)))
  const processes = [smtpMail(db, { url, shop }), smtpMail(db, { url, shop })]
  await Promise.all(processes.map((mail) => mail.deliver()))
  expect(letters.flatMap(({ to }) => to).sort()).toEqual(everybody.sort())
  expect(await db.$count(outbox)).toBe(0)
})

// The embedded engine has one connection, so nobody else can hold a letter there.
if (inject('postgresUrl'))
  test('a letter that another process is just taking keeps no other one waiting', async () => {
    const { db } = await testShop()
    const { url, letters } = await smtpServer()
    await queue(db, letterTo('first@example.com'))
    await queue(db, letterTo('second@example.com'))
    await db
      .update(outbox)
      .set({ nextTryAt: sql`now() - interval '1 hour'` })
      .where(eq(outbox.recipient, 'first@example.com'))
    await db.transaction(async (tx) => {
      await tx.select().from(outbox).where(eq(outbox.recipient, 'first@example.com')).for('update')
      await smtpMail(db, { url, shop }).deliver()
    })
    expect(letters.flatMap(({ to }) => to)).toEqual(['second@example.com'])
  })

test('a process that dies once a letter is sent sends it again, as the same message', async () => {
  const { db } = await testShop()
  const { url, letters } = await smtpServer()
  const dying: typeof db = Object.assign(Object.create(db), {
    delete() {
      throw new Error('dead')
    },
  })
  await queue(db, letterTo('ada@example.com'))
  await expect(smtpMail(dying, { url, shop }).deliver()).rejects.toThrow('dead')
  await makeDue(db)
  await smtpMail(db, { url, shop }).deliver()
  const [first, second, ...more] = letters.map(({ raw }) => read(raw).header('Message-ID'))
  expect(first).toMatch(/^<[\w-]+@wheels\.example>$/)
  expect(second).toBe(first)
  expect(more).toEqual([])
})

test('a new line in what a letter is about or whom it is for begins no header', async () => {
  const { db } = await testShop()
  const { url, letters } = await smtpServer()
  const mail = smtpMail(db, { url, shop })
  const evil = 'x\r\nBcc: eve@example.com\r\n\r\nBody'
  await mail.send(letterTo('ada@example.com', evil))
  // By hand, as writeLetter would not have it.
  await mail.send({ ...letterTo('ada@example.com'), subject: evil })
  await mail.send({ ...letterTo('ada@example.com'), replyTo: `ada@example.com${evil}` })
  await mail.send({ ...letterTo('ada@example.com'), to: `ada@example.com${evil}` })
  await mail.deliver()
  expect(letters.length).toBeGreaterThanOrEqual(3)
  for (const { to, raw } of letters) {
    expect(to).toHaveLength(1)
    expect(to).not.toContain('eve@example.com')
    expect(read(raw).names).not.toContain('Bcc')
  }
})

test('a shop that closes lets the letter under way arrive, and begins no other', async () => {
  const { db } = await testShop()
  const arriving = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const { url, letters } = await smtpServer({
    meanwhile: () => {
      arriving.resolve()
      return closed.promise
    },
  })
  await queue(db, letterTo('ada@example.com'), letterTo('bob@example.com'))
  const mail = smtpMail(db, { url, shop })
  const delivering = mail.deliver()
  await arriving.promise
  const closing = mail.close()
  closed.resolve()
  await Promise.all([closing, delivering])
  await mail.deliver()
  expect(letters.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(await db.$count(outbox)).toBe(1)
})
