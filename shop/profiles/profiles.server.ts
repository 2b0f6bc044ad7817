import { eq } from 'drizzle-orm'
import { profiles, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { type Member, normalizeEmail } from '#shop/users/user.ts'
import type { Profile, ProfileForm } from './profile.ts'

/** Throws 'not-found' for an unknown email. */
export async function readProfile({ db }: Shop, email: string): Promise<Profile> {
  const [found] = await db
    .select()
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users._id))
    .where(eq(users.email, normalizeEmail(email)))
  if (!found) throw new ShopError('not-found', `Nobody with the email ${email} is known here.`)
  const blank = { education: null, address: null, phoneNumber: null, photoURL: null, linkedIn: null }
  const { email: address, emailConfirmedAt } = found.users
  return { ...blank, ...found.profiles, email: address, emailConfirmedAt }
}

export async function updateProfile({ db }: Shop, owner: Member, form: ProfileForm) {
  const { education, address, phoneNumber, photoURL = null, linkedIn } = form
  const values = { education, address, phoneNumber, photoURL, linkedIn }
  const written = await db
    .insert(profiles)
    .values({ ...values, userId: owner._id })
    .onConflictDoUpdate({ target: profiles.userId, set: values })
    .returning({ userId: profiles.userId })
  return { modifiedCount: written.length }
}
