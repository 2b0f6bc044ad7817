import type { FileStore } from './file-store.ts'

/** `{hash}.webp` is a picture, `{hash}-{width}.{format}` a variant of it. */
const named = /^([0-9a-f]{32})(\.webp|-\d+\.[a-z]+)$/

/**
 * Removes what is older than `before` and not among the hashes in `used`: pictures with all their variants, variants
 * without a picture, and files that were never finished. Whatever else is there is left alone.
 */
export async function deleteUnusedFiles(files: FileStore, used: Set<string>, before: Date) {
  const names = await files.list()
  const kept = new Set(names.filter((name) => name.endsWith('.webp') && !name.includes('-')))
  const variants = Map.groupBy(
    names.filter((name) => name.includes('-') && named.test(name)),
    (name) => `${name.slice(0, 32)}.webp`,
  )

  for (const master of kept) {
    const [, hash] = named.exec(master) ?? []
    if (!hash || used.has(hash) || !(await removeIfOld(master))) continue
    for (const variant of variants.get(master) ?? []) await files.remove(variant)
  }
  for (const [master, orphans] of variants) {
    if (kept.has(master)) continue
    for (const orphan of orphans) await removeIfOld(orphan)
  }
  for (const unfinished of names.filter((name) => name.endsWith('.part'))) await removeIfOld(unfinished)

  /** Looks at the file at the last moment: the same picture may have been stored again since the list was read. */
  async function removeIfOld(name: string) {
    const written = await files.written(name)
    // Another process that shares the files was quicker, or it is as new.
    if (!written || written >= before) return false
    await files.remove(name)
    return true
  }
}
