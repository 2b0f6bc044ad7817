import { hasData, needsData } from '#shop/fit/interface-data.server.ts'
import { replacementData } from '#shop/replacements/replacement-data.server.ts'
import { specificationData } from '#shop/specifications/specification-data.server.ts'
import type { AnyDataKind } from './data-kind.ts'

/** In the order of the export. */
export const dataKinds: AnyDataKind[] = [specificationData, hasData, needsData, replacementData]
