import type { Need } from '#shop/drawings/bikes.ts'
import type { PartSummary } from '#shop/parts/part.ts'

export type PartNeed = Need<PartSummary>

export interface AddedNeeds {
  bikes: number
  needs: PartNeed[]
}
