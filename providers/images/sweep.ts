import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** `{hash}.webp` is a picture, `{hash}-{width}.{format}` a variant of it. */
const named = /^([0-9a-f]{32})(\.webp|-\d+\.[a-z]+)$/

/**
 * Empties a folder of pictures of what is older than `before` and not among the hashes in `used`: pictures with all their
 * variants, variants without a picture, and files that were never finished. Whatever else is there is left alone.
 */
export async function sweepFolder(folder: string, used: Set<string>, before: Date) {
  const names = await readdir(folder)
  const kept = new Set(names.filter((name) => name.endsWith('.webp') && !name.includes('-')))
  const variants = Map.groupBy(
    names.filter((name) => name.includes('-') && named.test(name)),
    (name) => `${name.slice(0, 32)}.webp`,
  )

  for (const master of kept) {
    const [, hash] = named.exec(master) ?? []
    if (!hash || used.has(hash) || !(await removeIfOld(master))) continue
    for (const variant of variants.get(master) ?? []) await rm(join(folder, variant), { force: true })
  }
  for (const [master, orphans] of variants) {
    if (kept.has(master)) continue
    for (const orphan of orphans) await removeIfOld(orphan)
  }
  for (const unfinished of names.filter((name) => name.endsWith('.part'))) await removeIfOld(unfinished)

  /** Looks at the file at the last moment: the same picture may have been stored again since the list was read. */
  async function removeIfOld(name: string) {
    const file = join(folder, name)
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      // Another process that shares the folder was quicker.
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (!found || found.mtime >= before) return false
    await rm(file, { force: true })
    return true
  }
}
