import { basketMutants } from './baskets.ts'
import { boundaryMutants } from './boundaries.ts'
import { costMutants } from './costs.ts'
import { deskMutants } from './desk.ts'
import { documentMutants } from './documents.ts'
import { failureMutants } from './failures.ts'
import { headerMutants } from './headers.ts'
import { limitMutants } from './limits.ts'
import { memoryMutants } from './memory.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './orders.ts'
import { overviewMutants } from './overview.ts'
import { promiseMutants } from './promises.ts'
import { quantityMutants } from './quantities.ts'
import { raceMutants } from './races.ts'
import { shipmentMutants } from './shipments.ts'
import { stateMutants } from './states.ts'
import { strangerMutants } from './strangers.ts'

export const mutantsByKind: Record<string, Mutant[]> = {
  /** The server chooses a row for the caller. */
  strangers: strangerMutants,
  /** Both sides of every limit. */
  boundaries: [...boundaryMutants, ...limitMutants],
  /** What holds after something has failed. */
  failures: failureMutants,
  /** States of orders and payments. */
  states: stateMutants,
  /** What the loser of a race is told. */
  races: raceMutants,
  /** Work of admins on many rows. */
  desk: deskMutants,
  headers: headerMutants,
  /** Responses that are the same for everybody. */
  memory: memoryMutants,
  /** Orders of many lines. */
  lines: orderMutants,
  baskets: basketMutants,
  documents: documentMutants,
  /** Parcels of an order. */
  shipments: shipmentMutants,
  /** Multiples, price breaks and part numbers. */
  quantities: quantityMutants,
  /** Figures of the overview. */
  overview: overviewMutants,
  /** Promises about time and size. */
  promises: promiseMutants,
  /** What one request may cost. */
  costs: costMutants,
}
