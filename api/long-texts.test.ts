import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#providers/identity/embedded.ts'
import { isHttps } from '#shop/fields.ts'
import { ada, browserAt } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'
import type { AnyCall } from './call.ts'
import { api } from './contract.ts'

/** As long as a body of 64 KB allows, and slow for an expression that tries every beginning of it. */
const nasty = {
  link: `https://${'a'.repeat(63_000)} b`,
  blanks: `x${' '.repeat(63_000)}x`,
  invisible: '\u200b'.repeat(63_000),
  marks: `e${'\u0323\u0301'.repeat(4)}`.repeat(7_000),
  email: `a@${'a.'.repeat(31_500)}!`,
  digits: `1${'0'.repeat(63_000)}`,
  path: `/images/${'a'.repeat(63_000)}`,
}

/** Take time that grows with the length alone. */
const linear = [
  '(?![\\t\\r\\n])[\\p{Bidi_Control}\\p{Cc}]',
  '(\\p{M}{8})\\p{M}+',
  '^-?\\d{1,15}$',
  '^-?\\d{1,10}(\\.\\d{1,2})?$',
  '^[-+]?\\d{1,3}(\\.\\d)?$',
  '^\\d{4}-\\d\\d-\\d\\d$',
  // Zod's own.
  '[\\uD800-\\uDBFF]',
  z.regexes.date.source,
]

/** Collects the regular expressions that see a long text, on which they may take long. */
function watchExpressions() {
  const seen = new Set<string>()
  const { exec } = RegExp.prototype
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    if (text.length > 10_000) seen.add(this.source)
    return exec.call(this, text)
  })
  return seen
}

afterEach(() => void vi.restoreAllMocks())

const fields = Object.entries(api as Record<string, AnyCall>).flatMap(([name, { request }]) =>
  request instanceof z.ZodObject ? Object.keys(request.shape).map((field) => ({ name, request, field })) : [],
)
/** Ignored, or a whole file. */
const unlimited = [
  'payPurchase.purchase',
  'previewImport.csv',
  'importProducts.csv',
  'addCertificate.data',
  'previewPartData.csv',
  'importPartData.csv',
  'uploadModel.file',
  'addPartDocument.file',
]

test('every field rejects a long text by its length, before any slower check', () => {
  expect(fields.length).toBeGreaterThan(60)
  const seen = watchExpressions()
  for (const { name, request, field } of fields) {
    for (const [kind, text] of Object.entries(nasty)) {
      const value = field === 'views' ? [text] : text
      const { error } = request.safeParse({ [field]: value })
      const isRefused = error?.issues.some(({ path }) => path[0] === field) ?? false
      expect(error?.issues.map(({ message }) => message) ?? []).not.toContain('Must be text')
      expect(isRefused, `${name}.${field} ${kind}`).toBe(!unlimited.includes(`${name}.${field}`))
    }
  }
  expect([...seen].filter((source) => !linear.includes(source))).toEqual([])
})

test('isHttps looks only at links of up to 4,000 characters', () => {
  const link = (length: number) => 'https://a.example/'.padEnd(length, 'x')
  expect([isHttps(link(4_000)), isHttps(link(4_001))]).toEqual([true, false])
})

test('the identity endpoints reject a body of more than 8,000 characters before they look into it', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const body = { ...ada, provider: 'google', token: 'x', newPassword: 'secret-2' }
  const seen = watchExpressions()
  for (const call of [...endpoints].filter((call) => call.startsWith('POST ')))
    for (const field of [...Object.keys(body), 'image', 'callbackURL'])
      for (const [kind, text] of Object.entries(nasty)) {
        const response = await browser.post(call.replace('POST ', ''), { ...body, [field]: text })
        expect(response.status, `${call} ${field} ${kind}`).toBe(400)
        expect(await response.json()).toMatchObject({ message: 'The request is too large.' })
      }
  expect([...seen]).toEqual([])
  const isTooLarge = async (length: number) => {
    const response = await browser.post('/update-user', { name: 'x'.repeat(length - '{"name":""}'.length) })
    return (await response.text()).includes('too large')
  }
  expect([await isTooLarge(8_000), await isTooLarge(8_001)]).toEqual([false, true])
})
