import { and, asc, eq, ne } from 'drizzle-orm'
import { savedViews } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { maxViews, type SavedView, type ViewForm, type ViewList } from './saved-view.ts'

const matches = ({ _id }: Member, list: ViewList) =>
  and(eq(savedViews.userId, _id), eq(savedViews.list, list))

/** The admin’s own, oldest first. */
export function listViews({ db }: Shop, admin: Member, list: ViewList): Promise<SavedView[]> {
  const { _id, name, query } = savedViews
  return db
    .select({ _id, name, query })
    .from(savedViews)
    .where(matches(admin, list))
    .orderBy(asc(savedViews.number))
}

/** Replaces a view of this name. Throws 'conflict' when there are too many. */
export async function saveView({ db }: Shop, admin: Member, view: ViewForm): Promise<{ insertedId: string }> {
  const others = await db.$count(savedViews, and(matches(admin, view.list), ne(savedViews.name, view.name)))
  if (others >= maxViews)
    throw new ShopError('conflict', `You have ${maxViews} views of this list. Remove one first.`)
  const [saved] = await db
    .insert(savedViews)
    .values({ ...view, userId: admin._id })
    .onConflictDoUpdate({
      target: [savedViews.userId, savedViews.list, savedViews.name],
      set: { query: view.query },
    })
    .returning({ _id: savedViews._id })
  return { insertedId: saved!._id }
}

export async function deleteView({ db }: Shop, admin: Member, id: string): Promise<{ deletedCount: number }> {
  const isOwn = and(eq(savedViews._id, id), eq(savedViews.userId, admin._id))
  const deleted = await db.delete(savedViews).where(isOwn).returning({ _id: savedViews._id })
  return { deletedCount: deleted.length }
}
