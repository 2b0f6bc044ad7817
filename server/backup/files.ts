import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupConfig } from '#server/config/config.ts'

const pattern = /^winged-wheels-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.zst$/

/** `at` in UTC, without colons, which Windows does not allow. */
export function backupName(at: Date) {
  return `winged-wheels-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.zst`
}

interface BackupFile {
  name: string
  at: Date
}

/** Complete and verified ones, newest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = await readdir(folder).catch((error): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const backups = names.flatMap((name) => {
    const [, day, hours, minutes, seconds] = pattern.exec(name) ?? []
    return day ? { name, at: new Date(`${day}T${hours}:${minutes}:${seconds}Z`) } : []
  })
  return backups.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** When the newest was made; null without one. */
export async function lastBackupAt(folder: string): Promise<Date | null> {
  return (await listBackups(folder))[0]?.at ?? null
}

/** For the metrics; null when none are scheduled. A folder that cannot be read counts as empty. */
export async function measureBackups({ folder, everyHours }: BackupConfig) {
  if (!everyHours) return null
  const last = await lastBackupAt(folder).catch(() => null)
  return { everySeconds: everyHours * 3_600, lastAt: (last?.getTime() ?? 0) / 1_000 }
}

export async function isBackupDue({ folder, everyHours }: BackupConfig): Promise<boolean> {
  if (!everyHours) return false
  const last = await lastBackupAt(folder)
  return !last || Date.now() - last.getTime() >= everyHours * 3_600_000
}

export async function deleteOldBackups(folder: string, keep: number) {
  for (const { name } of (await listBackups(folder)).slice(keep))
    await rm(join(folder, name), { force: true })
}

/** Those of backups that were killed. */
export async function deleteUnfinished(folder: string) {
  const names = await readdir(folder).catch(() => [])
  const unfinished = names.filter((name) => name.endsWith('.part') && pattern.test(name.slice(0, -5)))
  for (const name of unfinished) await rm(join(folder, name), { force: true })
}

/** So that a renamed file survives a power cut. Windows cannot. */
export async function flushFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
