import { desc, eq } from 'drizzle-orm'
import { deliveryAddresses, type Queries, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type AddressForm,
  isSameDelivery,
  maxAddresses,
  type OrderAddress,
  type SavedAddress,
  type StoredDelivery,
  toDeliveryInput,
} from './address.ts'
import { completeDestination, findDestinationProblems, type StoredDestination } from './destination.ts'

/** The default one first, then the newest. */
export async function listAddresses({ db }: Shop, user: Member): Promise<SavedAddress[]> {
  const saved = await db
    .select()
    .from(deliveryAddresses)
    .where(eq(deliveryAddresses.userId, user._id))
    .orderBy(desc(eq(deliveryAddresses._id, user.defaultAddressId ?? '')), desc(deliveryAddresses.number))
  return saved.map((address) => ({ ...address, isDefault: address._id === user.defaultAddressId }))
}

/** The first one becomes the default. Throws 'conflict' for one that is saved already, and above 20. */
export function addAddress(shop: Shop, user: Member, form: AddressForm, key?: string) {
  return idempotent(shop.db, { userId: user._id, call: 'addAddress', key, body: form }, async (tx) => {
    const { saved } = await lockAddresses(tx, user)
    const values = toDelivery(shop, user, form)
    if (isSaved(shop, saved, values)) throw duplicateError()
    if (saved.length >= maxAddresses)
      throw new ShopError(
        'conflict',
        `You can save up to ${maxAddresses} delivery addresses. Delete one to add another.`,
      )
    const [row] = await tx
      .insert(deliveryAddresses)
      .values({ ...values, userId: user._id })
      .returning()
    if (saved.length === 0) await setDefault(tx, user, row!._id)
    return { insertedId: row!._id }
  })
}

/** Throws 'not-found', and 'conflict' for one that is saved already. */
export function updateAddress(shop: Shop, user: Member, id: string, form: AddressForm) {
  return shop.db.transaction(async (tx) => {
    const { saved } = await lockAddresses(tx, user)
    checkExists(saved, id)
    const values = toDelivery(shop, user, form)
    const others = saved.filter((other) => other._id !== id)
    if (isSaved(shop, others, values)) throw duplicateError()
    await tx.update(deliveryAddresses).set(values).where(eq(deliveryAddresses._id, id))
    return { modifiedCount: 1 }
  })
}

/** The newest of the others becomes the default in place of the deleted one. Throws 'not-found'. */
export function deleteAddress({ db }: Shop, user: Member, id: string) {
  return db.transaction(async (tx) => {
    const { saved, defaultAddressId } = await lockAddresses(tx, user)
    checkExists(saved, id)
    const next = saved.find(({ _id }) => _id !== id)
    if (id === defaultAddressId) await setDefault(tx, user, next?._id ?? null)
    await tx.delete(deliveryAddresses).where(eq(deliveryAddresses._id, id))
    return { deletedCount: 1 }
  })
}

/** Throws 'not-found'. */
export function setDefaultAddress({ db }: Shop, user: Member, id: string) {
  return db.transaction(async (tx) => {
    const { saved } = await lockAddresses(tx, user)
    checkExists(saved, id)
    await setDefault(tx, user, id)
    return { modifiedCount: 1 }
  })
}

/** Newest first. Locks the user, because changes at the same time could exceed the limit, or leave a default that is deleted. */
async function lockAddresses(tx: Queries, member: Member) {
  const { _id, defaultAddressId } = await lockMember(tx, member)
  const saved = await tx
    .select()
    .from(deliveryAddresses)
    .where(eq(deliveryAddresses.userId, _id))
    .orderBy(desc(deliveryAddresses.number))
  return { saved, defaultAddressId }
}

function setDefault(tx: Queries, { _id }: Member, defaultAddressId: string | null) {
  return tx.update(users).set({ defaultAddressId }).where(eq(users._id, _id))
}

function checkExists(saved: { _id: string }[], id: string) {
  if (!saved.some(({ _id }) => _id === id))
    throw new ShopError('not-found', 'This delivery address doesn’t exist.')
}

const duplicateError = () => new ShopError('conflict', 'You’ve already saved this delivery address.')

function isSaved({ settings }: Shop, saved: StoredDelivery[], values: StoredDelivery) {
  const home = settings.current.company.country
  const wanted = toDeliveryInput(values, home)
  return saved.some((other) => isSameDelivery(toDeliveryInput(other, home), wanted))
}

/** As it is saved: when the account gets another name, so do its addresses. */
function toDelivery(shop: Shop, { name }: Member, form: AddressForm): StoredDelivery {
  const { recipient = '', company = '', address, phoneNumber } = form
  return {
    recipient: recipient === name ? '' : recipient,
    company,
    ...toDestination(shop, form),
    address,
    phoneNumber,
  }
}

/** Where it goes besides the street, in the shop's country if it names none. Throws 'invalid' for a postcode or region of another one. */
export function toDestination({ settings }: Pick<Shop, 'settings'>, form: AddressForm): StoredDestination {
  const home = settings.current.company.country
  const problems = Object.entries(findDestinationProblems(form, home)).filter(([, problem]) => problem)
  if (problems.length > 0)
    throw new ShopError('invalid', problems[0]![1]!, {
      fields: Object.fromEntries(problems.map(([field, problem]) => [field, [problem!]])),
    })
  return completeDestination(form, home)
}

/** What `placeOrder` may have to save: nothing for most orders. */
export function orderAddress(
  shop: Shop,
  user: Member,
  { saveAddress = false, ...form }: AddressForm & { saveAddress?: boolean | undefined },
): OrderAddress | null {
  if (!saveAddress && user.defaultAddressId !== null) return null
  return { ...toDelivery(shop, user, form), asked: saveAddress, max: maxAddresses }
}
