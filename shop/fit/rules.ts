import type { FitRule } from './rule.ts'
import { bearingRules } from './rules/bearings.ts'
import { brakeRules } from './rules/brakes.ts'
import { cockpitRules } from './rules/cockpit.ts'
import { drivetrainRules } from './rules/drivetrain.ts'
import { tyreRules } from './rules/tyres.ts'
import { wheelRules } from './rules/wheels.ts'

export const fitRules = [
  ...drivetrainRules,
  ...bearingRules,
  ...brakeRules,
  ...tyreRules,
  ...wheelRules,
  ...cockpitRules,
]

const byKinds = new Map(
  fitRules.flatMap((rule) => [
    [rule.kinds.join(' '), rule],
    [rule.kinds.toReversed().join(' '), rule],
  ]),
)

export function findRule(kind: string, other: string): FitRule | undefined {
  return byKinds.get(`${kind} ${other}`)
}

export function listCounterparts(kind: string) {
  return fitRules.flatMap(({ kinds: [a, b] }) => (a === kind ? [b] : b === kind ? [a] : []))
}
