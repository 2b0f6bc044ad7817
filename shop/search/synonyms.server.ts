import { eq, inArray, sql } from 'drizzle-orm'
import { emptySearches, type Queries, synonyms } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { countBounded, defaultLimit, orderBy } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from './match-words.server.ts'
import {
  formatTerms,
  maxAlternatives,
  maxPhraseWords,
  maxTerms,
  parseTerms,
  type SearchedPhrase,
  type Synonym,
  type SynonymForm,
  type SynonymQuery,
  singular,
} from './synonym.ts'
import { type CutWord, readSearchText } from './words.server.ts'

const maxSynonyms = 1_000

/** Those of which the phrase is among the words. */
export async function findSynonyms(db: Queries, words: CutWord[]): Promise<SearchedPhrase[]> {
  const singulars = words.map(({ word }) => singular(word))
  const phrases = singulars.flatMap((_, from) =>
    Array.from({ length: maxPhraseWords }, (_, i) => singulars.slice(from, from + i + 1).join(' ')),
  )
  if (phrases.length === 0) return []
  return db
    .select({ phrase: synonyms.phrase, terms: synonyms.terms })
    .from(synonyms)
    .where(inArray(synonyms.phrase, [...new Set(phrases)]))
}

/** In alphabetical order unless they are sorted otherwise. */
export async function listSynonyms(
  { db }: Pick<Shop, 'db'>,
  { q, sort = 'phrase', limit = defaultLimit, page = 1 }: Partial<SynonymQuery> = {},
): Promise<Page<Synonym>> {
  const where =
    q === undefined
      ? sql`true`
      : matchesFoldedWords(sql`fold_text(${synonyms.phrase} || ' ' || ${synonyms.terms}::text)`, q)
  const columns = { added: synonyms.number, phrase: sql`${synonyms.phrase} collate "C"` }
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(synonyms)
      .where(where)
      .orderBy(...orderBy(columns, sort))
      .limit(limit)
      .offset((page - 1) * limit),
    countBounded(db, sql`select from ${synonyms} where ${where}`),
  ])
  return { rows: rows.map(({ _id, phrase, terms }) => ({ _id, phrase, terms: formatTerms(terms) })), total }
}

/** Throws 'invalid' for words that the search does not know as such, 'conflict' for a phrase that has one. */
export async function addSynonym(shop: Pick<Shop, 'db'>, admin: Actor, form: SynonymForm) {
  const values = await readSynonym(shop.db, form)
  return shop.db.transaction(async (tx) => {
    if ((await tx.$count(synonyms)) >= maxSynonyms)
      throw new ShopError('conflict', 'There are 1,000 synonyms. Delete one to add another.')
    const [added] = await tx.insert(synonyms).values(values).onConflictDoNothing().returning()
    if (!added) throw takenError(values)
    // It is answered now.
    await tx.delete(emptySearches).where(eq(emptySearches.text, values.phrase))
    await recordChange(tx, admin, { ...toSubject(added), action: 'addSynonym', after: toValues(added) })
    return { insertedId: added._id }
  })
}

/** Throws like `addSynonym`, and 'not-found'. */
export async function updateSynonym(shop: Pick<Shop, 'db'>, admin: Actor, id: string, form: SynonymForm) {
  const values = await readSynonym(shop.db, form)
  return shop.db.transaction(async (tx) => {
    const [before] = await tx.select().from(synonyms).where(eq(synonyms._id, id)).for('update')
    if (!before) throw missingError()
    const [other] = await tx.select().from(synonyms).where(eq(synonyms.phrase, values.phrase))
    if (other && other._id !== id) throw takenError(values)
    if (JSON.stringify(toValues(before)) === JSON.stringify(toValues(values))) return { modifiedCount: 0 }
    await tx.update(synonyms).set(values).where(eq(synonyms._id, id))
    const change = { before: toValues(before), after: toValues(values) }
    await recordChange(tx, admin, {
      ...toSubject({ ...values, _id: id }),
      action: 'updateSynonym',
      ...change,
    })
    return { modifiedCount: 1 }
  })
}

/** Throws 'not-found'. */
export function deleteSynonym({ db }: Pick<Shop, 'db'>, admin: Actor, id: string) {
  return db.transaction(async (tx) => {
    const [deleted] = await tx.delete(synonyms).where(eq(synonyms._id, id)).returning()
    if (!deleted) throw missingError()
    await recordChange(tx, admin, {
      ...toSubject(deleted),
      action: 'deleteSynonym',
      before: toValues(deleted),
    })
    return { deletedCount: 1 }
  })
}

/** As the search reads it. Throws 'invalid'. */
export async function readSynonym(db: Queries, form: SynonymForm): Promise<SearchedPhrase> {
  const words = await readWords(db, form.phrase)
  if (words.length === 0 || words.length > maxPhraseWords)
    throw fieldError('phrase', `Enter 1 to ${maxPhraseWords} words`)
  const phrase = words.map(singular).join(' ')
  const parsed = parseTerms(form.terms)
  if (parsed.length === 0 || parsed.length > maxTerms)
    throw fieldError('terms', `Enter up to ${maxTerms} terms, such as “brake and disc or rotor”`)
  const terms = await Promise.all(parsed.map((alternatives) => readAlternatives(db, alternatives)))
  // What is called so still has to be found.
  const [own] = words.length === 1 ? words : []
  return { phrase, terms: terms.map((term) => [...new Set(own ? [...term, singular(own)] : term)]) }
}

async function readAlternatives(db: Queries, alternatives: string[]) {
  if (alternatives.length > maxAlternatives)
    throw fieldError('terms', `A term can have up to ${maxAlternatives} words`)
  return Promise.all(
    alternatives.map(async (text) => {
      const [word, ...others] = await readWords(db, text)
      if (!word || others.length > 0)
        throw fieldError('terms', `“${text}” isn’t one word. Put “and” or “or” between words.`)
      return word
    }),
  )
}

async function readWords(db: Queries, text: string) {
  const { words } = await readSearchText(db, text)
  return words.map(({ word }) => word)
}

function fieldError(field: 'phrase' | 'terms', message: string) {
  return new ShopError('invalid', message, { fields: { [field]: [message] } })
}

function takenError({ phrase }: SearchedPhrase) {
  const message = `“${phrase}” already has a synonym. Change that one.`
  return new ShopError('conflict', message, { fields: { phrase: [message] } })
}

function missingError() {
  return new ShopError('not-found', 'This synonym doesn’t exist.')
}

function toSubject({ _id, phrase }: { _id: string; phrase: string }) {
  return { kind: 'search', id: _id, subject: phrase } as const
}

function toValues({ phrase, terms }: SearchedPhrase) {
  return { phrase, terms: formatTerms(terms) }
}
