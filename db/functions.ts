import { computeChecksum } from './checksum.ts'

/** By path. */
const files = import.meta.glob<string>('./functions/*.sql', { eager: true, query: '?raw', import: 'default' })
const [history = ''] = Object.values(
  import.meta.glob<string>('./functions.sha256', { eager: true, query: '?raw', import: 'default' }),
)

export interface SqlFunctions {
  /** Today's texts by the names of their files, in order. */
  texts: Map<string, string>
  /** Checksums of all texts that this version knows: today’s, and those of the versions before. */
  known: string[]
}

/** `history` has the content of functions.sha256. */
export function readFunctions(texts: Map<string, string>, history: string): SqlFunctions {
  const earlier = history.match(/\b[0-9a-f]{64}\b/g) ?? []
  const today = [...texts.values()].map((text) => computeChecksum(text))
  return { texts, known: [...new Set([...earlier, ...today])] }
}

export const currentFunctions = readFunctions(
  new Map(
    Object.entries(files)
      .map(
        ([path, text]) =>
          [
            path
              .split('/')
              .pop()!
              .replace(/\.sql$/, ''),
            text,
          ] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ),
  history,
)

/** A row of the table `functions`: a text that was applied. */
export interface AppliedFunction {
  name: string
  checksum: string
}

export function findUnknownFunction(applied: AppliedFunction[], { known } = currentFunctions) {
  return applied.find(({ checksum }) => !known.includes(checksum))?.name
}

/** Those whose text is not the one that was applied. */
export function listChangedFunctions(applied: AppliedFunction[], { texts }: SqlFunctions) {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  return [...texts]
    .map(([name, text]) => ({ name, text, checksum: computeChecksum(text) }))
    .filter(({ name, checksum }) => checksums.get(name) !== checksum)
}
