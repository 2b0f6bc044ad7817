import { checkOwner } from './orders/orders.server.ts'
import { checkUploadKey } from './parts/pictures.server.ts'
import type { Person, Shop } from './ports.ts'
import type { Member } from './users/user.ts'
import { authenticate } from './users/users.server.ts'

/** The questions behind the contract's column *who may*. */
export interface AccessChecks {
  /** Whom an access token speaks for; null when it is not good. */
  member(token: string): Promise<Member | null>
  /** Throws 'unauthenticated' for an ID token that is not good. */
  person(idToken: string): Promise<Person>
  /** The upload that a key is for. Throws 'unauthenticated' for one that is not good. */
  uploader(key: string): Promise<string>
  /** Throws 'missing' for an order that is not the member's. */
  owner(member: Member, orderId: string, adminsPass: boolean): Promise<void>
}

export function accessChecks(shop: Shop): AccessChecks {
  return {
    member: (token) => authenticate(shop, token),
    person: (idToken) => shop.identity.verify(idToken),
    uploader: (key) => checkUploadKey(shop, key),
    owner: (member, orderId, adminsPass) => checkOwner(shop, member, orderId, adminsPass),
  }
}
