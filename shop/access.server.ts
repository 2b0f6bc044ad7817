import { checkOwner } from '#shop/orders/read/orders.server.ts'
import { checkUploadKey } from '#shop/pictures/pictures.server.ts'
import type { Member } from '#shop/users/user.ts'
import { authenticate } from '#shop/users/users.server.ts'
import type { Person, Shop } from './ports.ts'

export interface AccessChecks {
  authenticate(token: string, options: { mayRecall: boolean }): Promise<Member | null>
  verifyIdToken(idToken: string): Promise<Person>
  /** Returns the upload id. Throws 'unauthenticated' for an invalid key. */
  checkUploadKey(key: string): Promise<string>
  checkOwner(member: Member, orderId: string, allowAdmin: boolean): Promise<void>
}

export function accessChecks(shop: Shop): AccessChecks {
  return {
    authenticate: (token, options) => authenticate(shop, token, options),
    verifyIdToken: (idToken) => shop.identity.verify(idToken),
    checkUploadKey: (key) => checkUploadKey(shop, key),
    checkOwner: (member, orderId, allowAdmin) => checkOwner(shop, member, orderId, allowAdmin),
  }
}
