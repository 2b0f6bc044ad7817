import { useSyncExternalStore } from 'react'
import { onSessionChange, readSession, type Session, useSession } from '#app/auth/session.ts'
import { loadScript } from '#app/browser/failed-imports.ts'
import { localItems } from '#app/browser/storage.ts'
import { clearDraft, forgetSentWith, idempotencyKeyFor } from '#app/drafts.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { addItems, type BasketItem, fullBasketMessage, maxBasketItems, putItems } from '#shop/basket/items.ts'

/** Storage key of the visitor's basket; that of a copy of a customer's, which the server keeps, ends in the email. */
const storageKey = 'basket'
const toKey = (session: Pick<Session, 'email'> | null) =>
  session ? `${storageKey}:${session.email}` : storageKey

interface StoredBasket {
  items: BasketItem[]
  /** Milliseconds; of the server's answer. */
  readAt?: number
}

const listeners = new Set<() => void>()
const cache = new Map<string, { text: string | null; basket: StoredBasket }>()
const nothing: StoredBasket = { items: [] }

/** Shared between tabs; undefined until hydration. */
export function useBasket(): BasketItem[] | undefined {
  const session = useSession()
  const key = session === undefined ? undefined : toKey(session)
  return useSyncExternalStore(
    subscribe,
    () => (key === undefined ? undefined : read(key).items),
    () => undefined,
  )
}

/** Of the user who is signed in, else of the visitor. */
export function readBasketItems(): BasketItem[] {
  return read(toKey(readSession())).items
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function read(key: string): StoredBasket {
  const text = localItems.read(key)
  const cached = cache.get(key)
  if (cached?.text === text) return cached.basket
  const basket = parse(text)
  cache.set(key, { text, basket })
  return basket
}

function parse(text: string | null): StoredBasket {
  try {
    const { items, readAt } = JSON.parse(text ?? '{}')
    return Array.isArray(items) ? { items: items.filter(isItem), readAt } : nothing
  } catch {
    return nothing
  }
}

/** Anybody can change what the browser stores, and so can another version of the shop. */
function isItem({ partId, quantity, seen }: Partial<BasketItem>) {
  return typeof partId === 'string' && Number.isInteger(quantity) && Array.isArray(seen?.priceBreaks)
}

function write(key: string, basket: StoredBasket | null) {
  // The server has that of a customer.
  const store = key === storageKey ? 'write' : 'keep'
  if (basket) localItems[store](key, JSON.stringify(basket))
  else localItems.remove(key)
  for (const listener of listeners) listener()
}

const additions = 'add to basket'

/** Adds to the quantities that are there. Throws an Error whose message can be shown. */
export async function addBasketItems(added: BasketItem[]): Promise<void> {
  const keyName = [additions, ...added.map(({ partId }) => partId)].join(' ')
  await change(
    (items) => addItems(items, added),
    (client) => client.addToBasket({ body: { items: added }, key: idempotencyKeyFor(keyName, added) }),
  )
  clearDraft(keyName)
}

/** Sets quantities and what the customer was shown. Throws an Error whose message can be shown. */
export function changeBasketItems(changed: BasketItem[]): Promise<void> {
  return inTurn(() => put(changed))
}

function put(changed: BasketItem[]) {
  return apply(
    (items) => putItems(items, changed),
    (client) => client.updateBasket({ body: { items: changed } }),
  )
}

/** Null for a visitor. */
export const basketOwner = () => readSession()?.email ?? null

/** Of an item that is still in the basket of `owner` when its turn comes: it must not be put back. */
export function saveQuantity(partId: string, quantity: number, owner: string | null): Promise<void> {
  return inTurn(async () => {
    const item = readBasketItems().find((item) => item.partId === partId)
    if (item && item.quantity !== quantity && basketOwner() === owner) await put([{ ...item, quantity }])
  })
}

/** By part: saves the quantity that was typed and is not stored yet. */
export const pendingSaves = new Map<string, () => Promise<void>>()

/** Before an order, or a price is accepted: what is saved later would undo it. Throws when a quantity cannot be saved. */
export async function finishSaving(): Promise<void> {
  await Promise.all([...pendingSaves.values()].map((save) => save()))
  await queue
}

/** Returns what was removed. Throws an Error whose message can be shown. */
export async function removeBasketItem(partId: string): Promise<BasketItem | undefined> {
  pendingSaves
    .get(partId)?.()
    .catch(() => {})
  await queue
  const removed = readBasketItems().find((item) => item.partId === partId)
  await change(
    (items) => items.filter((item) => item.partId !== partId),
    (client) => client.removeFromBasket({ params: { partId } }),
  )
  forgetAdding(partId)
  return removed
}

/** Added again, it is not a retry of what was added before. */
function forgetAdding(partId: string) {
  forgetSentWith(additions, partId)
}

/** After the server has taken them out. */
export function forgetOrdered(partIds: string[]) {
  for (const partId of partIds) forgetAdding(partId)
  const key = toKey(readSession())
  const { items, ...stored } = read(key)
  write(key, { ...stored, items: items.filter(({ partId }) => !partIds.includes(partId)) })
}

type Client = typeof import('#app/client.ts')['client']
type Remote = (client: Client) => Promise<{ items: BasketItem[] }>

let queue: Promise<unknown> = Promise.resolve()

/** One after another, so that a later change cannot overtake an earlier one. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work)
  queue = result.catch(() => {})
  return result
}

function change(...parameters: Parameters<typeof apply>): Promise<void> {
  return inTurn(() => apply(...parameters))
}

async function apply(local: (items: BasketItem[]) => BasketItem[], remote: Remote): Promise<void> {
  const session = readSession()
  if (session) return send(session, remote)
  const items = local(read(storageKey).items)
  if (items.length > maxBasketItems) throw new Error(fullBasketMessage)
  write(storageKey, { items })
}

async function send(session: Session, remote: Remote) {
  // Visitors need no API client.
  const { client } = await loadScript(() => import('#app/client.ts'))
  const { items } = await remote(client)
  // The copy of an account is forgotten when it signs out.
  if (readSession()?.email === session.email) write(toKey(session), { items, readAt: Date.now() })
}

const maxAgeMs = 60_000
let syncing: Promise<void> | undefined

/** Moves what a visitor had chosen to the account that has signed in, and reads what other devices have changed. */
export function syncBasket({ force = false } = {}): Promise<void> {
  const session = readSession()
  if (session) syncing ??= syncUntilSignOut(session, force)
  else forgetCopies()
  return syncing ?? Promise.resolve()
}

/** After a sign-out, the server would refuse what is still under way. */
async function syncUntilSignOut(session: Session, force: boolean) {
  const controller = new AbortController()
  const stopListening = onSessionChange(() => {
    if (readSession()?.email === session.email) return
    syncing = undefined
    controller.abort()
  })
  try {
    await sync(session, force, controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    stopListening()
    if (!controller.signal.aborted) syncing = undefined
  }
}

async function sync(session: Session, force: boolean, signal: AbortSignal) {
  if (await joinVisitorBasket(signal, force)) return
  const { readAt = 0 } = read(toKey(session))
  if (!force && Date.now() - readAt < maxAgeMs) return
  await change(
    (items) => items,
    (client) => client.readBasket({ signal }),
  )
}

/** False when there is nothing to join, or the server refuses it, which the basket page tells: the account's basket must open all the same. */
async function joinVisitorBasket(signal: AbortSignal, isTold: boolean): Promise<boolean> {
  const visitor = read(storageKey)
  if (visitor.items.length === 0) return false
  try {
    await change(
      (items) => items,
      (client) => client.updateBasket({ body: { items: visitor.items, join: true }, signal }),
    )
  } catch (error) {
    const { isOutage } = await import('#app/client.ts')
    if (isOutage(error)) throw error
    if (isTold) showError(error)
    return false
  }
  if (signal.aborted) return false
  // Another tab may have added something meanwhile.
  if (read(storageKey) === visitor) write(storageKey, null)
  return true
}

function forgetCopies() {
  for (const key of localItems.listKeys()) if (key.startsWith(`${storageKey}:`)) write(key, null)
}
