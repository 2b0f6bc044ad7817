import { and, eq, isNotNull } from 'drizzle-orm'
import { profiles, reviews, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { importPhoto, ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import { type Member, normalizeEmail } from '#shop/users/user.ts'
import type { Profile, ProfileForm } from './profile.ts'

/** Throws 'not-found' for an unknown email. */
export async function readProfile(shop: Shop, email: string): Promise<Profile> {
  const [found] = await shop.db
    .select()
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users._id))
    .where(eq(users.email, normalizeEmail(email)))
  if (!found) throw new ShopError('not-found', `No user has the email address ${email}.`)
  const emptyProfile = { education: null, address: null, phoneNumber: null, photoURL: null, linkedIn: null }
  const { email: address, emailConfirmedAt } = found.users
  const profile = { ...emptyProfile, ...found.profiles, email: address, emailConfirmedAt }
  return { ...profile, photoURL: ownPictureUrl(shop, profile.photoURL) }
}

/** Stores a copy of a photo from another host. Throws like `importPhoto`. */
export async function updateProfile(
  shop: Shop,
  member: Member,
  form: ProfileForm,
  { network }: { network: string },
) {
  const { education, address, phoneNumber, linkedIn } = form
  const { _id: userId } = member
  const photoURL = form.photoURL ? await importPhoto(shop, { userId, network }, form.photoURL) : null
  const values = { education, address, phoneNumber, photoURL, linkedIn }
  return shop.db.transaction(async (tx) => {
    await lockMember(tx, member)
    const [before] = await tx.select().from(profiles).where(eq(profiles.userId, userId))
    const shown = before ? before.photoURL : member.photoURL
    const written = await tx
      .insert(profiles)
      .values({ ...values, userId })
      .onConflictDoUpdate({ target: profiles.userId, set: values })
      .returning({ userId: profiles.userId })
    // Whoever removes a photo does not want it shown.
    if (shown && photoURL === null)
      await tx
        .update(reviews)
        .set({ image: null })
        .where(and(eq(reviews.userId, userId), isNotNull(reviews.image)))
    return { modifiedCount: written.length }
  })
}
