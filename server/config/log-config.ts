import type { LogSettings } from '#telemetry/log.ts'
import type { Settings } from './settings.ts'

/** In a terminal, requests would hide what the shop says. */
export function readLog({ LOG_FORMAT, LOG_LEVEL }: Settings): LogSettings {
  const format = LOG_FORMAT ?? (process.stderr.isTTY ? 'text' : 'json')
  return { format, level: LOG_LEVEL ?? (format === 'text' ? 'warn' : 'info') }
}
