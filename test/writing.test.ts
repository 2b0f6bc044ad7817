import { expect, test } from 'vitest'
import { readTexts } from './texts.ts'

/** The test bank repeats Stripe's own messages. */
const stripesWords = /^bank\//

const texts = readTexts()
const find = (pattern: RegExp, among = texts) =>
  among.filter(({ text }) => pattern.test(text)).map(({ file, line, text }) => `${file}:${line} ${text}`)
const ours = texts.filter(({ file }) => !stripesWords.test(file))

/** The specification's, and the contact form's toast in the same style. */
const fixed = new Set([
  'Successfully made {…} an admin!',
  'Failed to make {…} an Admin!',
  'Successfully removed {…} as an admin!',
  'Failed to remove {…} as an Admin!',
  'Please provide a valid email...',
  'Password required Minimum 6 characters...',
  'Your Password did not matched!',
  'Added Review Successfully!',
  'Login Successfully!',
  'Registered Successfully!',
  'Successfully updated your profile!',
  'Please Enter Email Address!!',
  'Reset Password Sent to Your Email!!',
  'Deleted your purchase!',
  '{…} Purchase Successfully!!',
  'Delivered Status Successfully Changed!!',
  'Congratulations! Your Payment is completed.',
  "Purchase can't be higher than {…} available quantity.",
  'Message Sent Successfully!',
])
const written = ours.filter(({ text }) => !fixed.has(text))

test('the extraction finds texts in every folder', () => {
  const folders = new Set(texts.map(({ file }) => file.split('/')[0]))
  expect([...folders]).toEqual([
    'api',
    'app',
    'bank',
    'bin',
    'db',
    'providers',
    'server',
    'shop',
    'telemetry',
  ])
  expect(texts.length).toBeGreaterThan(1_500)
})

test('texts avoid the words that docs/writing.md rules out', () => {
  const words =
    /\b(shall|whoever|doors?|letters?|speaks? of|asked for|meanwhile|chargebacks?|give[ns]? back|pa(y|id) back|minimum lot|orderers?|did not work|is like that|is named like|oops)\b/i
  expect(find(words, ours)).toEqual([])
})

test('texts have British spelling', () => {
  const american =
    /\b(colors?(?!:)|canceled|canceling|catalog|centers?(?! Lock)|favorites?|behavior|labeled|aluminum|anodized|tires?|gray|(authori|organi|recogni|summari|speciali)z\w+)\b/i
  const isCode = (text: string) =>
    /[:;] [\w#.-]+;|var\(|color-scheme|\bAuthorization( header|: Bearer)|^(Authori|Organi)zation$|^Center Lock$/.test(
      text,
    )
  const prose = written.filter(({ text }) => !isCode(text))
  expect(find(american, prose)).toEqual([])
})

test('texts have one form of ellipsis, apostrophe and “email”, and no exclamation marks', () => {
  expect(find(/\.\.\.(?!\w)/, written)).toEqual([])
  expect(find(/\p{L}'\p{L}/u, written)).toEqual([])
  expect(find(/\be-mail/i, written)).toEqual([])
  expect(find(/\p{L}!(\s|$)/u, written)).toEqual([])
})

test('amounts of $1,000 and more have separators', () => {
  expect(find(/\$\d{4,}/)).toEqual([])
})
