import { boundaryMutants } from './boundaries.ts'
import { failureMutants } from './failures.ts'
import { fitMutants } from './fit.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './orders.ts'
import { raceMutants } from './races.ts'
import { stateMutants } from './states.ts'
import { strangerMutants } from './strangers.ts'

/** Only money, stock, authority and fit, where no type holds the rule. */
export const mutantsByKind: Record<string, Mutant[]> = {
  /** The server chooses a row for the caller. */
  strangers: strangerMutants,
  /** Both sides of every limit. */
  boundaries: boundaryMutants,
  /** What holds after something has failed. */
  failures: failureMutants,
  /** States of orders and payments. */
  states: stateMutants,
  /** What the loser of a race is told. */
  races: raceMutants,
  /** Orders of many lines. */
  lines: orderMutants,
  /** Whether parts go together: each rule is broken once at least. */
  fit: fitMutants,
}
