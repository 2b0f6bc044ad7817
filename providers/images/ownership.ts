import { ShopError } from '#shop/errors.ts'
import type { FileStore } from './file-store.ts'

/** Never a picture’s name, so it is neither served nor deleted. */
const name = 'owner'

/** When the shop gets another secret, so that it claims its files again. Leaves those of another shop. */
export async function releaseOwnership(files: FileStore, owner: string): Promise<void> {
  if (await isOwnedBy(files, owner)) await files.remove(name)
}

async function isOwnedBy(files: FileStore, owner: string) {
  const current = await files.read(name)
  return current !== null && new TextDecoder().decode(current) === owner
}

/** Claims unmarked files for this shop. Throws 'conflict' for another shop's, since each would delete the other's pictures. */
export async function claimOwnership(files: FileStore, owner: string): Promise<void> {
  const isMarked = await refuseOtherOwner(files, owner)
  if (!isMarked) await files.write(name, { bytes: new TextEncoder().encode(owner), type: 'text/plain' })
}

/** Throws 'conflict' for another shop's files. Returns whether they are marked as this one's. */
export async function refuseOtherOwner(files: FileStore, owner: string): Promise<boolean> {
  const current = await files.read(name)
  if (!current) return false
  if (new TextDecoder().decode(current) === owner) return true
  throw new ShopError(
    'conflict',
    'This bucket belongs to another shop, or to this one with another secret. Use a separate bucket or, for this shop’s own, delete its object images/owner.',
  )
}
