import { hasData, needsData } from '#shop/fit/interface-data.server.ts'
import { replacementData } from '#shop/replacements/replacement-data.server.ts'
import { specificationData } from '#shop/specifications/specification-data.server.ts'
import { type AnyDataKind, hideChanges } from './data-kind.ts'

/** In the order of the export. */
export const dataKinds: AnyDataKind[] = [
  hideChanges(specificationData),
  hideChanges(hasData),
  hideChanges(needsData),
  hideChanges(replacementData),
]
