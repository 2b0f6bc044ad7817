import { expect, test } from 'vitest'
import { composeEmail } from './emails.ts'

const shop = { name: 'Wheels & Co', address: 'hello@wheels.example' }
const words = {
  to: 'ada@example.com',
  subject: 'A new password',
  paragraphs: ['Somebody asked.', 'One line\nand another'],
  action: { words: 'Set a new password', address: 'https://wheels.example/reset-password?token=a&b=1' },
  after: ['The link is good for one hour.'],
}

test('a letter in plain text has the address to open on a line of its own', () => {
  const { text } = composeEmail(shop, words)
  expect(text).toBe(
    [
      'Somebody asked.',
      'One line\nand another',
      'Set a new password:\nhttps://wheels.example/reset-password?token=a&b=1',
      'The link is good for one hour.',
      '-- \nWheels & Co\nhello@wheels.example',
    ].join('\n\n'),
  )
})

test('a letter as a document says the same, and is dark where its reader is', () => {
  const { html } = composeEmail(shop, words)
  const seen = html.replace(/<head>.*<\/head>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
  expect(seen.trim()).toBe(
    'Wheels &amp; Co Somebody asked. One line and another Set a new password ' +
      'https://wheels.example/reset-password?token=a&amp;b=1 The link is good for one hour. ' +
      'Wheels &amp; Co hello@wheels.example',
  )
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('<title>A new password</title>')
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('href="https://wheels.example/reset-password?token=a&amp;b=1"')
})

test('a letter loads nothing and colours nothing but its button', () => {
  const { html } = composeEmail(shop, words)
  expect(html).not.toMatch(/<(img|link|script|style)|\bsrc=|url\(|@import/)
  const coloured = [...html.matchAll(/<(\w+)[^>]*#[0-9a-f]{3,6}/g)]
  expect(coloured.map(([, tag]) => tag)).toEqual(['a'])
})

test('what people type is text in a letter, never markup', () => {
  const typed = `<img src=x onerror="alert(1)"> & 'so on'`
  const { html, text } = composeEmail(shop, { ...words, subject: typed, paragraphs: [typed], after: [typed] })
  expect(html).not.toContain('<img')
  const escaped = '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;so on&#39;'
  expect(html.split(escaped)).toHaveLength(4)
  expect(text).toContain(typed)
})

test('a new line in a subject cannot begin another header', () => {
  const { subject } = composeEmail(shop, {
    ...words,
    subject: 'Hello\r\nBcc: eve@example.com\u2028X: y\u0085\0',
  })
  expect(subject).toBe('Hello Bcc: eve@example.com X: y')
})

for (const wrong of [
  'ada@example.com\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
  'Ada',
  '',
]) {
  test(`a letter goes to one address and is answered to one: not ${JSON.stringify(wrong)}`, () => {
    const refused = expect.objectContaining({ code: 'invalid' })
    expect(() => composeEmail(shop, { ...words, to: wrong })).toThrow(refused)
    expect(() => composeEmail(shop, { ...words, replyTo: wrong })).toThrow(refused)
  })
}
