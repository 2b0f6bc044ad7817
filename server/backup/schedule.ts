import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Config } from '#server/config/config.ts'
import type { JobTable } from '#server/jobs.ts'
import { log } from '#telemetry/log.ts'
import { isBackupDue } from './files.ts'
import { serveSnapshots } from './snapshot.ts'

/** The start and the first visitors need the processor. */
const quietSeconds = 60
/** After a backup that failed. */
const retryMs = 3_600_000

/** Backups run in a process of their own, so that requests need not wait for them. `copyFiles`: of an embedded database. */
export async function openBackups(
  { backups, dataDir }: Pick<Config, 'backups' | 'dataDir'>,
  copyFiles: ((to: string) => Promise<void>) | null,
): Promise<{ jobs: JobTable; close(): Promise<void> }> {
  const stopSnapshots = copyFiles && (await serveSnapshots(dataDir, copyFiles))
  let child: ChildProcess | null = null
  let startedAt = 0
  return {
    jobs: backups.everyHours ? { backUp: ['minute', startIfDue] } : {},
    async close() {
      child?.kill()
      await stopSnapshots?.()
    },
  }

  /** Does not wait: a job may take five minutes, and a backup longer. */
  async function startIfDue() {
    if (child || process.uptime() < quietSeconds || Date.now() - startedAt < retryMs) return
    if (!(await isBackupDue(backups))) return
    startedAt = Date.now()
    child = spawn(process.execPath, ['server/commands/backup.ts', '--scheduled'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    void logFailure(child).finally(() => {
      child = null
    })
  }
}

async function logFailure(child: ChildProcess) {
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal}`))
  })
  const [printed, failure] = await Promise.all([text(child.stderr!), ended])
  if (failure !== null) log.error({ reason: printed.trim().split('\n').at(-1) || failure }, 'backup failed')
}
