import { desc, eq } from 'drizzle-orm'
import { customerNotes, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { customerSubject, findAccount } from './account.server.ts'
import type { Note, NoteForm } from './customer.ts'

const maxNotes = 100

/** Newest first. */
export async function listNotes(db: Queries, { _id }: { _id: string }): Promise<Note[]> {
  const rows = await db
    .select({ note: customerNotes, email: users.email })
    .from(customerNotes)
    .innerJoin(users, eq(users._id, customerNotes.by))
    .where(eq(customerNotes.userId, _id))
    .orderBy(desc(customerNotes.number))
    .limit(maxNotes)
  return rows.map(({ note: { _id, text, byName: name, createdAt, editedAt }, email }) => {
    return { _id, text, by: { name, email }, createdAt, editedAt }
  })
}

/** Throws 'not-found', and 'conflict' above 100 notes. */
export function addCustomerNote(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  id: string,
  { text }: NoteForm,
  key?: string,
) {
  const request = { userId: admin._id, call: 'addCustomerNote', key, body: { id, text } }
  return idempotent(db, request, async (tx) => {
    const account = await findAccount(tx, id)
    const count = await tx.$count(customerNotes, eq(customerNotes.userId, id))
    if (count >= maxNotes)
      throw new ShopError('conflict', `A customer can have ${maxNotes} notes. Delete one to add another.`)
    const note = { userId: id, by: admin._id, byName: admin.name, text }
    const [added] = await tx.insert(customerNotes).values(note).returning({ _id: customerNotes._id })
    const after = { note: text }
    await recordChange(tx, admin, { ...customerSubject(account), action: 'addCustomerNote', after })
    return { insertedId: added!._id }
  })
}

/** Throws 'not-found', and 'forbidden' for the note of another admin. */
export function updateCustomerNote({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, { text }: NoteForm) {
  return db.transaction(async (tx) => {
    const note = await lockOwnNote(tx, admin, id)
    if (note.text === text) return { modifiedCount: 0 }
    const editedAt = new Date().toISOString()
    await tx.update(customerNotes).set({ text, editedAt }).where(eq(customerNotes._id, id))
    await recordChange(tx, admin, {
      ...customerSubject(await findAccount(tx, note.userId)),
      action: 'updateCustomerNote',
      before: { note: note.text },
      after: { note: text },
    })
    return { modifiedCount: 1 }
  })
}

/** Throws 'not-found', and 'forbidden' for the note of another admin. */
export function deleteCustomerNote({ db }: Pick<Shop, 'db'>, admin: Actor, id: string) {
  return db.transaction(async (tx) => {
    const note = await lockOwnNote(tx, admin, id)
    await tx.delete(customerNotes).where(eq(customerNotes._id, id))
    const account = await findAccount(tx, note.userId)
    const before = { note: note.text }
    await recordChange(tx, admin, { ...customerSubject(account), action: 'deleteCustomerNote', before })
    return { deletedCount: 1 }
  })
}

async function lockOwnNote(tx: Queries, admin: Actor, id: string) {
  const [note] = await tx.select().from(customerNotes).where(eq(customerNotes._id, id)).for('update')
  if (!note) throw new ShopError('not-found', 'This note doesn’t exist.')
  if (note.by !== admin._id)
    throw new ShopError('forbidden', 'You can change only your own notes. Add one of your own instead.')
  return note
}
