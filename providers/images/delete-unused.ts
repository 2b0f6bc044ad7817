import type { FileStore } from './file-store.ts'

const namePattern = /^([0-9a-f]{32})(\.webp|-\d+\.[a-z]+)$/

/** Removes pictures older than `before` that are not in `used`, orphaned variants and unfinished files. Ignores other files. */
export async function deleteUnusedFiles(files: FileStore, used: Set<string>, before: Date) {
  const names = await files.list()
  const originals = new Set(names.filter((name) => name.endsWith('.webp') && !name.includes('-')))
  const variants = Map.groupBy(
    names.filter((name) => name.includes('-') && namePattern.test(name)),
    (name) => `${name.slice(0, 32)}.webp`,
  )

  for (const originalName of originals) {
    const [, hash] = namePattern.exec(originalName) ?? []
    if (!hash || used.has(hash) || !(await removeIfOld(originalName))) continue
    for (const variant of variants.get(originalName) ?? []) await files.remove(variant)
  }
  for (const [originalName, orphans] of variants) {
    if (originals.has(originalName)) continue
    for (const orphan of orphans) await removeIfOld(orphan)
  }
  for (const unfinished of names.filter((name) => name.endsWith('.part'))) await removeIfOld(unfinished)

  /** Checks the date last: the picture may have been stored again since the list was read. */
  async function removeIfOld(name: string) {
    const written = await files.modifiedAt(name)
    if (!written || written >= before) return false
    await files.remove(name)
    return true
  }
}
