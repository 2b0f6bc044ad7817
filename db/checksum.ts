import { createHash } from 'node:crypto'

/** Git may check files out with other line endings. */
export function computeChecksum(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}
