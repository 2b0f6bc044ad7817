import type { Shop } from '#shop/ports.ts'
import type { CancelRule } from './cancellation.ts'

export async function readCancelRule(_shop: Shop): Promise<CancelRule> {
  return 'at once'
}
