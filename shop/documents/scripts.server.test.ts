import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { copyPdfText } from '#test/pdf.ts'
import { chooseTypeface } from './fonts.server.ts'
import type { DocumentLayout } from './layout.ts'
import { renderPdf } from './pdf.server.ts'
import { loadShaper } from './shaping.server.ts'

function layoutLines(deliverTo: string[]): DocumentLayout {
  return {
    title: 'Invoice',
    number: 'INV-1001',
    fileName: 'invoice-1001',
    issuedAt: '2026-05-12T14:05:00Z',
    notice: null,
    seller: ['Winged Wheels'],
    deliverTo,
    deliverToLabel: 'Deliver to',
    facts: [],
    columns: [{ label: 'Product', kind: 'text', share: 1 }],
    rows: [],
    totals: [],
    notes: [],
  }
}

const addresses = {
  Hebrew: 'שדרות רוטשילד תל אביב',
  Arabic: 'شارع الملك فهد الرياض السلام لا إلى',
  Persian: 'خیابان ولیعصر می‌خواهم گچپژ',
  Urdu: 'لاہور پاکستان ٹڈڑے',
  Thai: 'น้ำ ที่อยู่ ผู้ซื้อ กรุงเทพมหานคร',
  Bengali: 'ঢাকা ক্ষমা কি কো বাংলাদেশ',
  Tamil: 'தமிழ் கொடு க்ஷ சென்னை',
  Hindi: 'हिन्दी क्षत्रिय श्री कि र्क दिल्ली',
  Gujarati: 'ગુજરાતી અમદાવાદ',
  Punjabi: 'ਪੰਜਾਬੀ ਕਿ ਅੰਮ੍ਰਿਤਸਰ',
  Telugu: 'తెలుగు క్రీ హైదరాబాద్',
  Kannada: 'ಕನ್ನಡ ಬೆಂಗಳೂರು',
  Malayalam: 'മലയാളം കൊച്ചി',
  Sinhala: 'සිංහල ශ්‍රී ලංකා',
  Khmer: 'ភាសាខ្មែរ ភ្នំពេញ',
  Lao: 'ລາວ ນ້ຳ ວຽງຈັນ',
  Burmese: 'မြန်မာ ရန်ကုန်',
  Yoruba: 'Adébáyọ̀ Ọlọ́ṣẹ́ Ẹ̀gbẹ́',
  Akan: 'Ɛdwɔ́ŋ Akwasi',
  Vietnamese: 'Nguyễn Thị Hằng',
  Greek: 'Ελλάδα Αθήνα ᾧ',
  Ukrainian: 'Привіт Київ ґ',
  Chinese: '北京市朝阳区',
  Japanese: '東京都 ひらがな',
  Korean: '서울특별시',
}

test('text of 25 languages copied from a PDF is what was written', async () => {
  const copied = await copyPdfText(await renderPdf(layoutLines(Object.values(addresses))))
  for (const address of Object.values(addresses)) expect(copied).toContain(address.normalize('NFC'))
})

test('letters of 22 scripts have a font of their own, with a glyph for each', async () => {
  const shape = await loadShaper()
  const lastResort = (await chooseTypeface('北')).regular
  const words = Object.entries(addresses)
    .filter(([language]) => !['Chinese', 'Japanese', 'Korean'].includes(language))
    .flatMap(([, address]) => address.split(' '))
  for (const word of words)
    for (const { segment } of new Intl.Segmenter('en').segment(word)) {
      const { regular, bold } = await chooseTypeface(segment.normalize('NFC'))
      expect(regular, segment).not.toBe(lastResort)
      for (const face of [regular, bold]) {
        const style = { isRightToLeft: false, tabular: false }
        expect(shape(face, segment.normalize('NFC'), style).map(({ id }) => id)).not.toContain(0)
      }
    }
})

test('a line of both directions is written in the order of reading', async () => {
  const lines = [
    'שרשרת Shimano CN-7100 (12 הילוכים)',
    'רחוב הרצל 12, תל אביב (קומה 3)',
    'זיכוי של $19.99 בגין גלגל',
    'شارع الملك فهد 45 (الطابق ٣)',
    'Ordered by דוד כהן (ראשי) in 2026',
  ]
  const file = await renderPdf(layoutLines(lines))
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await file.arrayBuffer())))
  // It loses the space where the direction changes.
  const copied = text.join('').replace(/\s+/g, '')
  for (const line of lines) expect(copied).toContain(line.replace(/\s+/g, ''))
})

test('a line starts on the side of its first letter, and its brackets are mirrored', async () => {
  const pieces = async (line: string) => {
    const file = await renderPdf(layoutLines([line]))
    const document = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()))
    const { items } = await (await document.getPage(1)).getTextContent()
    const all = items.flatMap((item) => ('str' in item && item.str.trim() ? [item] : []))
    const [, , , , , y] = all.find(({ str }) => str.includes('שלום'))!.transform
    const onLine = all.filter(({ transform }) => transform[5] === y)
    return onLine.toSorted((a, b) => a.transform[4] - b.transform[4]).map(({ str }) => str.trim())
  }
  expect(await pieces('שלום (Shimano) 12')).toEqual(['12', ')', 'Shimano', '(', 'שלום'])
  expect(await pieces('Jo שלום 12')).toEqual(['Jo', '12', 'שלום'])
  const shape = await loadShaper()
  const { regular } = await chooseTypeface('(')
  const [mirrored] = shape(regular, '(', { isRightToLeft: true, tabular: false })
  const [closing] = shape(regular, ')', { isRightToLeft: false, tabular: false })
  expect(mirrored).toMatchObject({ id: closing!.id, text: '(' })
})

test('Arabic letters are joined, and a letter and its marks are set together', async () => {
  const shape = await loadShaper()
  const glyphs = async (text: string, isRightToLeft: boolean) => {
    const { regular } = await chooseTypeface(text[0]!)
    return shape(regular, text, { isRightToLeft, tabular: false })
  }
  const [isolated] = await glyphs('ب', true)
  const joined = await glyphs('ببب', true)
  expect(new Set([isolated, ...joined].map((glyph) => glyph!.id)).size).toBe(4)
  // Lam and alef have one glyph, and readers of a PDF turn its text round.
  expect((await glyphs('لا', true)).map(({ text }) => text)).toEqual(['ال'])
  // The vowel stands before its consonant.
  const [vowel, consonant] = await glyphs('कि', false)
  expect([vowel!.text, consonant!.text]).toEqual(['क', 'ि'])
  const [letter, mark] = await glyphs('ọ̀', false)
  expect(letter!.advance).toBeGreaterThan(0)
  expect(mark!.advance).toBe(0)
  expect(-mark!.x).toBeGreaterThan(letter!.advance / 2)
})
