import { ShopError } from '#shop/errors.ts'
import type { FileStore } from './file-store.ts'

/** No picture has this name, so none is ever shown or swept under it. */
const name = 'owner'

/**
 * Marks the files as those of one shop, unless they are marked. Throws 'conflict' when they are another's: each would sweep
 * away what the other one shows.
 */
export async function claimOwnership(files: FileStore, owner: string): Promise<void> {
  const before = await files.read(name)
  if (!before) return files.write(name, { bytes: new TextEncoder().encode(owner), type: 'text/plain' })
  if (new TextDecoder().decode(before) === owner) return
  throw new ShopError('conflict', 'The pictures there are those of another shop.')
}
