import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { executeRows } from '#db/driver/rows.ts'
import { parts } from '#db/schema.ts'
import { partForm } from '#shop/parts/part.ts'
import { lookUpParts } from '#shop/parts/parts.server.ts'
import { findParts, readSearch } from '#shop/parts/search.server.ts'
import { matchesNames } from '#shop/search/query.server.ts'
import { createPart, type TestShop } from '#test/shop.ts'

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  ' ',
  `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
  'äöüßéèçñåøæœłđıİþðŐŞţžŁÀ',
  'αβγδεςΩΛΠΆάЖжёйїґЩэ',
  'שלוםתאבגمرحبا٠١٢٣กขคงน้ำ',
  'कखगघिीअதமிழ்বাংলা',
  '自転車部品チェーンガギペサドル한국어부품',
  '½¼№Ⅻ×Ø⌀″′–—‑“”‘’„°±µΩ²³™€🚲🔧👩🏽‍🔧',
  '\u200b\u00ad\u00a0\u3000\u0301\u0308ＷＷ１２－',
]
// More of what names are made of in the trade.
const unit = fc.oneof(
  ...alphabets.map((letters, i) => ({ weight: i < 4 ? 6 : 1, arbitrary: fc.constantFrom(...letters) })),
)
const name = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit, minLength: 1, maxLength: 24 }) },
  { weight: 1, arbitrary: fc.string({ unit, minLength: 80, maxLength: 120 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 24 }) },
)

/** Different as names of parts, and such as the form accepts. */
export async function addGeneratedNames(shop: TestShop, count: number, seed: number) {
  const accepted = fc.sample(name, { numRuns: count, seed }).flatMap((text) => {
    const { success, data } = partForm.shape.name.safeParse(text)
    return success ? [data] : []
  })
  const {
    _id,
    number,
    partNumber,
    name: _,
    ...part
  } = await createPart(shop, {
    name: 'Pattern of all others',
    shortDescription: 'Forged',
    description: 'Forged.',
    brand: '',
    category: '',
  })
  const different = await executeRows<{ name: string }>(
    shop.db,
    sql`select distinct on (name_key(name)) name from unnest(${sql.param(accepted)}::text[]) as name`,
  )
  const added: { _id: string; name: string }[] = []
  for (let i = 0; i < different.length; i += 500) {
    const rows = different.slice(i, i + 500).map(({ name }) => ({ ...part, name }))
    added.push(...(await shop.db.insert(parts).values(rows).returning({ _id: parts._id, name: parts.name })))
  }
  return added
}

/** What does not find the part as it should, of all beginnings of its name or a few. */
export async function listFailedSearches(
  shop: TestShop,
  { _id, name }: { _id: string; name: string },
  { all }: { all: boolean },
): Promise<string[]> {
  const failed: string[] = []
  const spellings = [name, name.toUpperCase(), name.toLowerCase(), name.normalize('NFD')]
  for (const q of new Set(spellings)) {
    const { rows, isFuzzy } = await findParts(shop, { q, limit: 1 })
    if (rows[0]?._id !== _id || isFuzzy)
      failed.push(`${JSON.stringify(q)} finds ${JSON.stringify(rows[0]?.name)}`)
    const lookedUp = await lookUpParts(shop, { texts: [q] })
    if (!lookedUp.some((part) => part._id === _id)) failed.push(`${JSON.stringify(q)} is not looked up`)
  }
  const letters = [...name]
  const beginnings = letters.slice(1).map((_, i) =>
    letters
      .slice(0, i + 2)
      .join('')
      .trim(),
  )
  const some = [beginnings[0]!, beginnings[Math.floor(beginnings.length / 2)]!].filter(Boolean)
  for (const q of new Set([...name.split(/\s+/), ...(all ? beginnings : some)])) {
    if (q.replace(/[\p{M}\p{Cf}\s]/gu, '') === '') continue
    const { where, source } = await readSearch(shop.db, { q })
    const inNames = await matchesNames(shop.db, q)
    const [row] = await executeRows<{ found: boolean; named: boolean }>(
      shop.db,
      sql`select exists (select from ${source} where ${where} and part_words.part_id = ${_id}) as found,
        exists (select from part_words where ${inNames} and part_id = ${_id}) as named`,
    )
    if (!row!.found) failed.push(`${JSON.stringify(q)} does not find it`)
    if (!row!.named) failed.push(`${JSON.stringify(q)} does not find its orders`)
  }
  return failed
}

export const seed = Number(process.env.SEED ?? 77)
