import { expect, test } from 'vitest'
import { composeEmail, emailHtml } from './emails.ts'

const shop = { name: 'Wheels & Co', address: 'hello@wheels.example' }
const content = {
  to: 'ada@example.com',
  subject: 'A new password',
  paragraphs: ['Somebody asked.', 'One line\nand another'],
  action: { label: 'Set a new password', url: 'https://wheels.example/reset-password?token=a&b=1' },
  after: ['The link works once.'],
}

test('the plain text email has its URL on a separate line', () => {
  const { text } = composeEmail(shop, content)
  expect(text).toBe(
    [
      'Somebody asked.',
      'One line\nand another',
      'Set a new password:\nhttps://wheels.example/reset-password?token=a&b=1',
      'The link works once.',
      '-- \nWheels & Co\nhello@wheels.example',
    ].join('\n\n'),
  )
})

test('the HTML email has the same content and supports dark mode', () => {
  const html = emailHtml(composeEmail(shop, content))
  const visibleText = html.replace(/<head>.*<\/head>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
  expect(visibleText.trim()).toBe(
    'Wheels &amp; Co Somebody asked. One line and another Set a new password ' +
      'https://wheels.example/reset-password?token=a&amp;b=1 The link works once. ' +
      'Wheels &amp; Co hello@wheels.example',
  )
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('<title>A new password</title>')
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('href="https://wheels.example/reset-password?token=a&amp;b=1"')
})

test('the HTML email loads no external resource and only its button is coloured', () => {
  const html = emailHtml(composeEmail(shop, content))
  expect(html).not.toMatch(/<(img|link|script|style)|\bsrc=|url\(|@import/)
  const coloured = [...html.matchAll(/<(\w+)[^>]*#[0-9a-f]{3,6}/g)]
  expect(coloured.map(([, tag]) => tag)).toEqual(['td', 'a'])
})

test('a typed signature or line of a button changes neither', () => {
  const typed = ['-- \nEve\neve@example.com', 'Set a new password:\nhttps://eve.example']
  const html = emailHtml(composeEmail(shop, { ...content, paragraphs: typed }))
  expect(html).toContain('>-- <br>Eve<br>eve@example.com</p>')
  expect(html).not.toContain('href="https://eve.example"')
  expect(html).toMatch(/>Wheels &amp; Co<br>hello@wheels.example<\/p>\n<\/td>/)
})

test('composeEmail escapes user input in HTML', () => {
  const input = `<img src=x onerror="alert(1)"> & 'so on'`
  const email = composeEmail(shop, {
    ...content,
    subject: input,
    paragraphs: [input],
    after: [input],
  })
  const html = emailHtml(email)
  expect(html).not.toContain('<img')
  const escaped = '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;so on&#39;'
  expect(html.split(escaped)).toHaveLength(4)
  expect(email.text).toContain(input)
})

test('composeEmail removes line breaks from the subject', () => {
  const { subject } = composeEmail(shop, {
    ...content,
    subject: 'Hello\r\nBcc: eve@example.com\u2028X: y\u0085\0',
  })
  expect(subject).toBe('Hello Bcc: eve@example.com X: y')
})

for (const invalid of [
  'ada@example.com\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
  'Ada',
  '',
]) {
  test(`composeEmail rejects ${JSON.stringify(invalid)} as recipient and as reply-to`, () => {
    const rejection = expect.objectContaining({ code: 'invalid' })
    expect(() => composeEmail(shop, { ...content, to: invalid })).toThrow(rejection)
    expect(() => composeEmail(shop, { ...content, replyTo: invalid })).toThrow(rejection)
  })
}
