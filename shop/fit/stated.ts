import type { FitPart } from './interface.ts'
import { parseInterface } from './notation.ts'
import { findKind } from './vocabulary.ts'

/** Reads interfaces from text; for those of the project’s own making, which are right. */
export function makeFitPart(
  name: string,
  texts: string[],
  { source, date }: { source: string; date: string },
): FitPart {
  const interfaces = texts.map((text) => {
    const parsed = parseInterface(text)
    if ('problem' in parsed) throw new Error(`${name}: ${parsed.problem}`)
    return { ...parsed.interface, role: findKind(parsed.interface.kind)!.role, source, date }
  })
  return { name, interfaces }
}
