import type { KindRow } from './interface.ts'
import { cockpitKinds } from './kinds/cockpit.ts'
import { drivetrainKinds } from './kinds/drivetrain.ts'
import { wheelKinds } from './kinds/wheels.ts'

/** Raised with every change of a kind, a fact or a rule. */
export const vocabularyVersion = '1.1.0'

export const interfaceKinds = [...drivetrainKinds, ...wheelKinds, ...cockpitKinds]

export const needingKinds = interfaceKinds.flatMap(({ id, role }) => (role === 'needs' ? [id] : []))

const byId = new Map(interfaceKinds.map((kind) => [kind.id, kind]))

export function findKind(id: string): KindRow | undefined {
  return byId.get(id)
}
